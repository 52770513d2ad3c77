import { isWrapperName } from '../programs/wrappers.ts';
import type { Evaluation } from '../parse/shell-word.ts';

/** A word, or the part of one, that a builtin evaluates. */
export interface EvaluatedWord {
  /** `command`: run as a line. */
  readonly kind: Evaluation['kind'] | 'command';
  readonly text: string;
  readonly isKnown: boolean;
}

/** What a word needs here: its text after the shell's own expansions, and whether that is all it can be. */
interface Word {
  readonly text: string;
  readonly isKnown?: boolean;
  readonly isLiteral?: boolean;
  readonly glob?: string | undefined;
}

interface Evaluator {
  /** How words that are no options are evaluated. */
  readonly words?: EvaluatedWord['kind'];
  /** Options whose value is evaluated, with what may be joined to them. */
  readonly after?: readonly (readonly [option: RegExp, kind: EvaluatedWord['kind']])[];
  /** Options whose value is not. */
  readonly skips?: RegExp;
  /** Its words declare variables: `name[subscript]=value`. */
  readonly declares?: true;
}

const declaring: Evaluator = { declares: true };
const testing: Evaluator = { after: [[/^-[vR]$/, 'name']] };
const mapping: Evaluator = { words: 'name', after: [[/^-C([^]*)$/, 'command']], skips: /^-[a-zA-Z]*[dnOsuc]$/ };
const completing: Evaluator = {
  after: [
    [/^-W([^]*)$/, 'prompt'],
    [/^-[CF]([^]*)$/, 'command'],
  ],
};

/**
 * The builtins of Bash that evaluate their words once more, found out by running them: where a name may stand,
 * `a[$(command)]` runs the command, quoted or not.
 */
const evaluators: ReadonlyMap<string, Evaluator> = new Map([
  ['let', { words: 'arithmetic' }],
  ['test', testing],
  ['[', testing],
  ['printf', { after: [[/^-v([^]*)$/, 'name']] }],
  ['read', { words: 'name', after: [[/^-[a-zA-Z]*a$/, 'name']], skips: /^-[a-zA-Z]*[dinNptu]$/ }],
  ['mapfile', mapping],
  ['readarray', mapping],
  ['unset', { words: 'name' }],
  ['getopts', { words: 'name' }],
  ['wait', { after: [[/^-[a-z]*p([^]*)$/, 'name']] }],
  ['compgen', completing],
  ['complete', completing],
  ['declare', declaring],
  ['typeset', declaring],
  ['local', declaring],
  ['export', declaring],
  ['readonly', declaring],
]);

/** Builtins that set the variables they name to what they read or work out. */
export const settingBuiltins: ReadonlySet<string> = new Set('read mapfile readarray getopts printf wait'.split(' '));

/** Builtins that declare variables. */
export const declaringBuiltins: ReadonlySet<string> = new Set(
  [...evaluators].filter(([, { declares }]) => declares).map(([name]) => name),
);

/** Variables of Bash that are numbers: what is assigned to them is arithmetic. */
export const numberVariables: ReadonlySet<string> = new Set(
  'RANDOM SRANDOM SECONDS LINENO HISTCMD OPTIND BASHPID EPOCHSECONDS EPOCHREALTIME BASH_SUBSHELL'.split(' '),
);

/** Whether a program is a builtin that evaluates words. */
export function isEvaluator(program: string): boolean {
  return evaluators.has(program);
}

/** Lists what a builtin evaluates among its words. */
export function evaluatedWords(program: string, args: readonly Word[]): readonly EvaluatedWord[] {
  const evaluator = evaluators.get(program);
  if (!evaluator) return [];
  if (evaluator.declares) return declaredWords(args);
  const { after = [], words, skips } = evaluator;
  const found: EvaluatedWord[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index]!;
    const option = after.find(([pattern]) => pattern.test(word.text));
    const next = args[index + 1];
    if (option) {
      const [pattern, kind] = option;
      const joined = pattern.exec(word.text)?.[1] ?? '';
      if (joined !== '') found.push({ kind, ...known(word), text: joined });
      else if (next) found.push({ kind, ...known(next) });
      index += joined === '' ? 1 : 0;
    } else if (skips?.test(word.text)) index += 1;
    else if (words !== undefined && !/^[-+]/.test(word.text)) found.push({ kind: words, ...known(word) });
  }
  return found;
}

/** The options of a builtin that declares variables, as letters. */
export function declaredOptions(args: readonly Word[]): string {
  return args.map(({ text }) => /^[-+]([a-zA-Z]+)$/.exec(text)?.[1] ?? '').join('');
}

function declaredWords(args: readonly Word[]): readonly EvaluatedWord[] {
  const options = declaredOptions(args);
  return args.flatMap((word): readonly EvaluatedWord[] => {
    if (/^[-+]/.test(word.text)) return [];
    const { text, isKnown } = known(word);
    const name = /^[A-Za-z_]\w*(?=\+?=|$)/.exec(text)?.[0];
    if (name === undefined) return [{ kind: 'name', text, isKnown }];
    const value = text.slice(name.length).replace(/^\+?=/, '');
    const found: EvaluatedWord[] = [];
    if (options.includes('i')) found.push({ kind: 'arithmetic', text: value, isKnown });
    // Such a value is the list of an array, and read as one.
    if (/[aA]/.test(options) || value.startsWith('(')) found.push({ kind: 'prompt', text: value, isKnown });
    return found;
  });
}

function known({ text, isKnown = true, isLiteral = true, glob }: Word): {
  readonly text: string;
  readonly isKnown: boolean;
} {
  return { text, isKnown: isKnown && isLiteral && glob === undefined };
}

/** Whether words of a plain command are evaluated by Bash and may run others: then it is not plain. */
export function hidesEvaluation(words: readonly Word[]): boolean {
  // Nothing else is evaluated to anything.
  if (!words.some(({ text }) => mayHide.test(text))) return false;
  const isWrapper = isWrapperName(nameOf(words[0]?.text ?? ''));
  let looks = 0;
  for (const [index, { text }] of words.entries()) {
    if (index > 0 && !isWrapper) return false;
    const name = nameOf(text);
    if (!isEvaluator(name)) continue;
    looks += 1;
    if (looks > maxLookups) return true;
    const evaluated = evaluatedWords(name, words.slice(index + 1));
    if (evaluated.some((word) => word.kind === 'command' || /[$`[]/.test(word.text))) return true;
  }
  return false;
}

const mayHide = /[$`[]|^-[CF]/;
// Each looks at all words behind it.
const maxLookups = 50;

function nameOf(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1).toLowerCase();
}
