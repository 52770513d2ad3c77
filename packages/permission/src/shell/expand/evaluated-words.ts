import { isWrapperName } from '../programs/wrappers.ts';
import type { Evaluation } from '../syntax/shell-word.ts';

/** A word, or a segment of a word, that a builtin evaluates. */
export interface EvaluatedWord {
  /** `command`: run as a line. */
  readonly kind: Evaluation['kind'] | 'command';
  readonly text: string;
  readonly isKnown: boolean;
}

/**
 * The data of a word that is needed here: its text after the shell's own expansions, and whether the text is its only
 * possible value.
 */
interface Word {
  readonly text: string;
  readonly isKnown?: boolean;
  readonly isLiteral?: boolean;
  readonly glob?: string | undefined;
}

interface Evaluator {
  /** How operands are evaluated. */
  readonly words?: EvaluatedWord['kind'];
  /** Options whose value is evaluated, with the prefix that may be joined to them. */
  readonly after?: readonly (readonly [option: RegExp, kind: EvaluatedWord['kind']])[];
  /** Options whose value is not evaluated. */
  readonly skips?: RegExp;
  /** The operands declare variables: `name[subscript]=value`. */
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
 * The Bash builtins that evaluate their words again, determined by experiment. Where a name is allowed, `a[$(command)]`
 * runs the command, quoted or not.
 */
const evaluators: ReadonlyMap<string, Evaluator> = new Map([
  ['let', { words: 'arithmetic' }],
  ['test', testing],
  ['[', testing],
  ['printf', { after: [[/^-v([^]*)$/, 'name']] }],
  ['read', { words: 'name', after: [[/^-[a-zA-Z]*?a([^]*)$/, 'name']], skips: /^-[a-zA-Z]*[dinNptu]$/ }],
  ['mapfile', mapping],
  ['readarray', mapping],
  ['unset', { words: 'name' }],
  ['getopts', { words: 'name' }],
  ['wait', { after: [[/^-[a-z]*?p([^]*)$/, 'name']] }],
  ['compgen', completing],
  ['complete', completing],
  ['declare', declaring],
  ['typeset', declaring],
  ['local', declaring],
  ['export', declaring],
  ['readonly', declaring],
]);

/** Builtins that assign a value they read or compute to the variables they name. */
export const settingBuiltins: ReadonlySet<string> = new Set('read mapfile readarray getopts printf wait'.split(' '));

/** Builtins that declare variables. */
export const declaringBuiltins: ReadonlySet<string> = new Set(
  [...evaluators].filter(([, { declares }]) => declares).map(([name]) => name),
);

/** Integer variables of Bash: values assigned to them are arithmetic. */
export const numberVariables: ReadonlySet<string> = new Set(
  'RANDOM SRANDOM SECONDS LINENO HISTCMD OPTIND BASHPID EPOCHSECONDS EPOCHREALTIME BASH_SUBSHELL'.split(' '),
);

/** Returns whether a program is a builtin that evaluates words. */
export function isEvaluator(program: string): boolean {
  return evaluators.has(program);
}

/** Lists the words that a builtin evaluates. */
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
    // A sign begins an option, or a name that is not valid. In arithmetic, it is an operator.
    else if (words === 'arithmetic' || (words !== undefined && !/^[-+]/.test(word.text)))
      found.push({ kind: words, ...known(word) });
  }
  return found;
}

/** Returns the options of a declaring builtin, as letters. */
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
    // Such a value is an array list and is parsed as an array.
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

/**
 * Returns whether Bash evaluates words of a simple command and may run other commands. Such a command does not count as
 * simple.
 */
export function hidesEvaluation(words: readonly Word[]): boolean {
  // No other text runs a command when it is evaluated.
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
// Maximum number of lookaheads. Each one scans all following words.
const maxLookups = 50;

function nameOf(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1).toLowerCase();
}
