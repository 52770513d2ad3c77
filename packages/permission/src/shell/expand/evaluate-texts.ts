import type { RunCommand } from '../run/run-command.ts';
import { findAssigned, findAssignedIn, readAssignedName } from '../parse/read-assigned-name.ts';
import { expandToValues } from './expand-word.ts';
import { isInherited } from '../run/default-values.ts';
import {
  declaredOptions,
  declaringBuiltins,
  evaluatedWords,
  numberVariables,
  settingBuiltins,
  type EvaluatedWord,
} from './evaluated-words.ts';
import { numberValues, type Scope, type Value } from '../run/run-word.ts';
import type { Evaluation } from '../syntax/shell-word.ts';

/** The results of following the texts that Bash evaluates. */
export interface EvaluatedTexts {
  /** What cannot be determined about these texts, in words for the user. */
  readonly uncertainties: ReadonlySet<string>;
  /** Texts that contain commands, to be parsed for them. */
  readonly texts: ReadonlySet<string>;
  /** Texts that are run as lines. */
  readonly lines: ReadonlySet<string>;
}

type Names = readonly string[];

const maxDepth = 12;
const unknownText = 'it evaluates an unknown text';
const hiddenAssignment = 'it sets a variable in a text that the shell evaluates';
const hiddenCommands = 'it hides commands in a text that the shell evaluates';

/**
 * Follows the texts that Bash evaluates again when the line runs: arithmetic, subscripts, names and prompts. A name in
 * arithmetic means the text of its variable, which is evaluated too. Variables that the line does not set come from the
 * environment of the program that runs the tools. A model does not write that environment, so their text counts as a
 * number.
 */
export function evaluateTexts(
  evaluations: readonly Evaluation[],
  runs: readonly RunCommand[],
  scope: Scope,
): EvaluatedTexts {
  const uncertainties = new Set<string>();
  const texts = new Set<string>();
  const lines = new Set<string>();
  const seen = new Set<string>();

  const checkText = (kind: EvaluatedWord['kind'], text: string, depth: number, assigned: Names): void => {
    const key = `${kind} ${text}`;
    if (seen.has(key)) return;
    seen.add(key);
    if (kind === 'command') {
      lines.add(text);
      uncertainties.add('it runs a command with words that are unknown before it runs');
      return;
    }
    if (/[$`]/.test(text) || (kind === 'prompt' && /[<>]\(/.test(text))) {
      uncertainties.add(hiddenCommands);
      texts.add(text);
    }
    if (kind === 'prompt') return;
    const arithmetic = kind === 'name' ? text.slice(text.includes('[') ? text.indexOf('[') : text.length) : text;
    if (findAssignedIn(arithmetic).some((name) => !assigned.includes(name))) uncertainties.add(hiddenAssignment);
    for (const [name] of arithmetic.matchAll(/(?<![\w#])[A-Za-z_]\w*/g)) checkVariable(name, depth + 1);
  };
  const check = (kind: EvaluatedWord['kind'], value: Value, depth: number, assigned: Names = []): void => {
    const { text, isOpen, isHarmless, glob } = value;
    if (isHarmless) return;
    if (isOpen || glob !== undefined || depth > maxDepth) uncertainties.add(unknownText);
    else checkText(kind, text, depth, assigned);
  };
  const checkVariable = (name: string, depth: number): void => {
    if (!scope.isSet(name) && isInherited(name)) return;
    const key = `variable ${name}`;
    if (seen.has(key)) return;
    seen.add(key);
    for (const value of scope.valuesOf(name)) check('arithmetic', value, depth);
  };

  for (const { kind, parts } of evaluations) {
    const assigned = findAssigned(parts);
    for (const value of expandToValues(parts, scope)) check(kind, value, 0, assigned);
  }
  for (const { program, args, command } of runs) {
    const assigned = program === 'let' ? command.words.flatMap(({ parts }) => findAssigned(parts)) : [];
    for (const { kind, text, isKnown } of evaluatedWords(program, args))
      check(kind, isKnown ? { text } : { text, isOpen: true }, 0, assigned);
    if (!declaringBuiltins.has(program)) continue;
    const options = declaredOptions(args);
    if (/[nlu]/.test(options)) uncertainties.add('it declares a variable that changes the text assigned to it');
    if (!/[iaA]/.test(options)) continue;
    for (const { text } of args)
      for (const value of scope.valuesOf(nameOf(text)))
        if (options.includes('i') || value.text.startsWith('('))
          check(options.includes('i') ? 'arithmetic' : 'prompt', value, 0);
  }
  for (const name of numberVariables) if (scope.isSet(name)) checkVariable(name, 0);
  return { uncertainties, texts, lines };
}

/** Programs that pass variables on to the command they run. */
const handsOn: ReadonlySet<string> = new Set(['env', 'sudo', 'doas']);
// Maximum number of words of such a program that may be variables. They precede the command.
const maxLeading = 40;

/** Lists the variables that builtins set, by name, as far as their words show. */
export function listSet(runs: readonly RunCommand[]): ReadonlyMap<string, readonly Value[]> {
  const set = new Map<string, Value[]>();
  const note = (name: string, value: Value): void => {
    if (name !== '') set.set(name, [...(set.get(name) ?? []).slice(0, 40), value]);
  };
  for (const { program, args } of runs) {
    if (settingBuiltins.has(program))
      for (const { text } of evaluatedWords(program, args))
        note(nameOf(text), { text: `$${nameOf(text)}`, isOpen: true });
    if (program === 'let')
      for (const { text } of args)
        for (const name of findAssignedIn(text)) for (const value of numberValues) note(name, value);
    if (!declaringBuiltins.has(program) && !handsOn.has(program)) continue;
    for (const { text, isKnown, glob } of handsOn.has(program) ? args.slice(0, maxLeading) : args) {
      const assigned = readAssignedName(text);
      if (!assigned) continue;
      const value = text.slice(assigned.length);
      note(assigned.name, isKnown && glob === undefined ? { text: value } : { text: value, isOpen: true });
    }
  }
  return set;
}

function nameOf(text: string): string {
  return /^[A-Za-z_]\w*/.exec(text)?.[0] ?? '';
}
