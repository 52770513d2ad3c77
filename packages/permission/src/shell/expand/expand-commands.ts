import type { RunCommand, RunRedirection, ExpandedShell } from '../run/run-command.ts';
import { expandWord } from './expand-word.ts';
import { innerLinesOf, writtenLines, type InnerLine } from '../programs/inner-lines.ts';
import { longestLine, readEvaluated, readShell } from './parse-shell.ts';
import { evaluateTexts, listSet } from './evaluate-texts.ts';
import { isEvaluator, numberVariables } from './evaluated-words.ts';
import { withoutVersion } from '../programs/languages.ts';
import { printsNumber } from './prints-number.ts';
import { shells } from '../programs/programs.ts';
import { mayReadPart, readsLines, readsScriptFromInput } from '../programs/starts-shell.ts';
import type { RunWord, Scope, Value } from '../run/run-word.ts';
import { heredocProgram } from '../parse/shell-reader.ts';
import type { Evaluation, ShellCommand } from '../parse/shell-word.ts';
import { isWrapper } from '../programs/wrappers.ts';
import {
  collectVariables,
  joinValues,
  unset,
  valuesByDefault,
  type Circumstances,
  type Variables,
} from './variables.ts';

const deepest = 8;
// So many words of a wrapper are taken for what it might run; a longer one is not read as a whole.
const mostInner = 100;
// All rests together are read in a time that is in proportion to the line; so many are read of each wrapper even then.
const fewestInner = 20;
const mostOfRests = 200_000;
// The words of a command are read in so many ways, when they are not too many.
const mostReadings = 16;
const mostWeighed = 32;
const mostAssigned = 100;
// Lines inside lines add up; this is more than any that means what it says.
const mostCharacters = 2 * longestLine;
// Values that are put into each other double with each step.
const mostOfValues = 10 * longestLine;
const repeats = /\b(?:for|while|until|select)\b|\(\s*\)|\bfunction\b/;
const definesFunction = /\(\s*\)|\bfunction\b|\balias\b/;
const changesArguments = /\(\s*\)|\bfunction\b|\bset\b|\bshift\b/;

/**
 * Lists every command a line runs: through wrappers (`sudo`, `env -S`, `xargs`, `find -exec`, `ssh`), shells (`bash -c "…"`, text
 * piped or redirected into one), `eval` and `trap`, however they are nested, with braces and variables replaced where the
 * line says what they stand for. More may be listed than runs, never less of what the text spells out.
 */
export function expandCommands(line: string, circumstances: Circumstances = {}): ExpandedShell {
  const { cwd, home } = circumstances;
  if (latest?.line !== line || latest.cwd !== cwd || latest.home !== home)
    latest = { line, cwd, home, expanded: expandAnew(line, circumstances) };
  return latest.expanded;
}

// One decision asks for the same line many times, one time for each rule above all.
let latest: (Circumstances & { readonly line: string; readonly expanded: ExpandedShell }) | undefined;

function expandAnew(line: string, circumstances: Circumstances): ExpandedShell {
  const collected: Collected = {
    circumstances,
    commands: [],
    redirections: [],
    assigned: new Map(),
    isWhole: true,
    runsUnknownText: false,
    feedsGroup: false,
    hasInput: false,
    moves: false,
    evaluationDoubts: new Set(),
    evaluations: [],
    evaluators: new Set(),
    values: new Map(),
    hasArguments: false,
    definesFunctions: false,
    pipelines: 0,
    seen: new Map(),
    room: mostCharacters,
    valueRoom: mostOfValues,
    restRoom: 5 * mostOfRests,
  };
  expand({ text: line, isKnown: true, hasArguments: false }, collected, 0, new Map());
  evaluate(collected);
  return collected;
}

interface Collected {
  readonly circumstances: Circumstances;
  readonly commands: RunCommand[];
  readonly redirections: RunRedirection[];
  readonly assigned: Map<string, string[]>;
  isWhole: boolean;
  runsUnknownText: boolean;
  feedsGroup: boolean;
  hasInput: boolean;
  /** The line goes to another folder. */
  moves: boolean;
  readonly evaluationDoubts: Set<string>;
  /** Texts that Bash evaluates, by the grammar, and commands that are given some. */
  readonly evaluations: Evaluation[];
  readonly evaluators: Set<ShellCommand>;
  /** All that a variable is set to, in whichever line. */
  readonly values: Map<string, readonly Value[]>;
  hasArguments: boolean;
  definesFunctions: boolean;
  pipelines: number;
  /** Lines taken apart already, by the variables that they had. */
  readonly seen: Map<Variables, Set<string>>;
  /** Characters that may still be taken apart. */
  room: number;
  /** Characters of values that may still be put into words and into each other. */
  valueRoom: number;
  /** Words that may still be read in rests of the words of wrappers. */
  restRoom: number;
}

function expand(line: InnerLine, collected: Collected, depth: number, inherited: Variables): void {
  const { text } = line;
  if (!line.isKnown) collected.runsUnknownText = true;
  const seen = collected.seen.get(inherited) ?? new Set();
  collected.seen.set(inherited, seen);
  const key = `${line.hasArguments} ${line.isInput} ${text}`;
  if (seen.has(key)) return;
  seen.add(key);
  collected.room -= Math.min(text.length, longestLine);
  if (depth > deepest || collected.room < 0) {
    collected.isWhole = false;
    return;
  }
  const parsed = line.isEvaluated ? readEvaluated(text) : readShell(text);
  for (const evaluation of parsed.evaluations) collected.evaluations.push(evaluation);
  if (!parsed.isWhole) collected.isWhole = false;
  // What a line is fed with, the lines inside it may read.
  collected.feedsGroup ||= parsed.feedsGroup || (depth > 0 && collected.hasInput);
  collected.hasInput ||= parsed.hasInput;
  collected.moves ||= parsed.commands.some(({ words }) => words.some((word) => goes.test(word.text)));
  const base = collected.pipelines;
  for (const { pipeline, assignments } of parsed.commands) {
    collected.pipelines = Math.max(collected.pipelines, base + pipeline);
    for (const { text: assignment } of assignments) noteAssigned(assignment, collected);
  }
  const hasArguments = line.hasArguments || changesArguments.test(text);
  collected.hasArguments ||= hasArguments;
  collected.definesFunctions ||= definesFunction.test(text);
  const scopeOf = (variables: Variables): Scope => createScope(variables, collected, hasArguments);
  const variables = collectVariables(parsed.commands, inherited, { text, hasLoop: repeats.test(text) }, scopeOf);
  const scope = scopeOf(variables);
  if (variables !== inherited)
    for (const [name, values] of variables)
      collected.values.set(name, joinValues(name, collected.values.get(name) ?? [], values));

  const inner: InnerLine[] = [];
  const written: InnerLine[] = [];
  let hasShell = false;
  let readsInput = false;
  let hasOperands = false;
  const pipelines = new Set<number>();
  for (const command of parsed.commands) {
    // What stands behind a pipe has another input.
    if (line.isInput && !pipelines.has(command.pipeline) && mayReadPart(command))
      collected.evaluationDoubts.add('a shell runs what a command may have read a part of');
    pipelines.add(command.pipeline);
    for (const { operator, target } of command.redirections)
      for (const word of expandWord(target, scope).flat()) collected.redirections.push({ operator, target: word });
    const { construct } = command;
    if (construct !== undefined && construct !== '[[') continue;
    for (const run of listRuns(command, base + command.pipeline, scope, collected)) {
      collected.commands.push(run);
      if (isEvaluator(run.program)) collected.evaluators.add(command);
      if (readsLines(run) || run.program === 'source' || run.program === '.') {
        hasShell = true;
        readsInput ||= readsScriptFromInput(run);
        hasOperands ||= run.args.length > 1 || run.args.some(({ text }) => !text.startsWith('-'));
      }
      inner.push(...innerLinesOf(run));
      const own = run.isDirect ? writtenLines(run) : undefined;
      if (own) written.push(...own);
    }
    for (const { operator, target } of command.redirections)
      if (operator === '<<<') written.push(...expandWord(target, scope).flat().map(toHereLine));
  }
  // What is piped or written into a shell is run by it.
  if (hasShell)
    for (const own of written)
      inner.push({ ...own, hasArguments: hasOperands, ...(readsInput ? { isInput: true } : {}) });
  if (inner.length === 0) return;
  // A line of its own may run at another time, or get no variables.
  const own =
    variables === inherited
      ? inherited
      : new Map([...variables].map(([name, values]) => [name, joinValues(name, values, unset(name, scope))] as const));
  const ofInput = line.isInput ? { isInput: line.isInput } : {};
  for (const next of inner) expand({ ...next, ...ofInput }, collected, depth + 1, own);
}

/** Follows the texts that Bash evaluates, and what comes to light in them, until nothing new does. */
function evaluate(collected: Collected): void {
  for (let round = 0; round < deepest; round += 1) {
    const evaluations = collected.evaluations.splice(0);
    const commands = [...collected.evaluators];
    collected.evaluators.clear();
    const isEmpty = evaluations.length + commands.length === 0;
    if (!isEmpty)
      for (const [name, values] of listSet(collected.commands))
        collected.values.set(name, joinValues(name, collected.values.get(name) ?? [], values));
    for (const [name, values] of collected.values)
      if (!collected.assigned.has(name))
        collected.assigned.set(
          name,
          values.map(({ text, isOpen }) => (isOpen === true ? '$' : text)),
        );
    if (isEmpty && ![...numberVariables].some((name) => collected.values.has(name))) return;
    const hasArguments = collected.hasArguments || collected.commands.some(({ program }) => setsArguments.has(program));
    const scope: Scope = { ...createScope(collected.values, collected, hasArguments), isEvaluating: true };
    const runs = commands.flatMap((command) => [...listRuns(command, 0, scope, collected)]);
    const { doubts, texts, lines } = evaluateTexts(evaluations, runs, scope);
    for (const doubt of doubts) collected.evaluationDoubts.add(doubt);
    const inner = { isKnown: true, hasArguments };
    for (const text of texts) expand({ ...inner, text, isEvaluated: true }, collected, 1, collected.values);
    for (const text of lines) expand({ ...inner, text }, collected, 1, collected.values);
    if (texts.size + lines.size === 0) return;
  }
}

const goes = /^(?:cd|pushd|popd)$/;

const setsArguments: ReadonlySet<string> = new Set(['set', 'shift', 'source', '.']);

function noteAssigned(text: string, collected: Collected): void {
  const name = /^\w*/.exec(text)![0];
  const values = collected.assigned.get(name) ?? [];
  collected.assigned.set(name, values);
  if (values.length < mostAssigned) values.push(text.slice(text.indexOf('=') + 1));
  else collected.isWhole = false;
}

function toHereLine({ text, isKnown, glob }: RunWord): InnerLine {
  return { text, isKnown: isKnown && glob === undefined, hasArguments: false };
}

function createScope(variables: Variables, collected: Collected, hasArguments: boolean): Scope {
  const { circumstances, assigned } = collected;
  const scope: Scope = {
    valuesOf: (name) => variables.get(name) ?? scope.valuesByDefault(name),
    valuesByDefault(name) {
      const values = valuesByDefault(name, circumstances, hasArguments);
      return name === 'PWD' && collected.moves ? [...values, { text: '$PWD', isOpen: true }] : values;
    },
    outputOf(commands) {
      const [only, ...others] = commands;
      if (!only || others.length > 0 || only.redirections.length > 0 || only.assignments.length > 0) return undefined;
      const [name, ...rest] = only.words;
      if (name?.text === 'pwd' && rest.length === 0) return collected.moves ? undefined : circumstances.cwd;
      if (name?.text !== 'echo' && name?.text !== 'printf') return undefined;
      const words = rest.flatMap((word) => expandWord(word, scope).flat());
      const isKnown = words.every((word) => word.isKnown && word.glob === undefined && !/[\\%]/.test(word.text));
      // `printf` takes only its first word as text, and `-v` for a variable to write to.
      if (name.text === 'printf' && (words.length !== 1 || words[0]!.text.startsWith('-'))) return undefined;
      const texts = words.map(({ text }) => text).filter((text) => !/^-[neE]+$/.test(text));
      return isKnown ? texts.join(' ') : undefined;
    },
    printsNumber: (commands) => !collected.definesFunctions && printsNumber(commands),
    isEvaluating: false,
    splitsAtBlanks: !variables.has('IFS') && !assigned.has('IFS'),
    takeRoom(length) {
      collected.valueRoom -= length;
      if (collected.valueRoom < 0) collected.isWhole = false;
      return collected.valueRoom >= 0;
    },
    home: circumstances.home,
  };
  return scope;
}

/** The command as the shell runs it, and for a wrapper every rest of its words, since options hide where the inner one begins. */
function* listRuns(command: ShellCommand, pipeline: number, scope: Scope, collected: Collected): Generator<RunCommand> {
  if (command.words.length === 0) return;
  const base = { command, pipeline };
  if (command.construct === '[[') {
    const args = command.words.flatMap((word) => expandWord(word, scope).flat());
    yield { ...base, program: '[[', written: '[[', isNamed: true, isDirect: true, args };
    return;
  }
  for (const words of listReadings(command, scope)) {
    const name = words[0]?.text ?? '';
    const isOpen = words[0]?.isKnown === false || name.startsWith('-') || isWrapper(nameOf(name), words);
    const most = isOpen ? takeRests(words.length, collected) : 1;
    for (const [index, { text, isKnown, glob }] of words.slice(0, most).entries()) {
      const program = text === heredocProgram ? text : nameOf(text);
      const isNamed = isKnown && glob === undefined;
      yield { ...base, program, written: text, isNamed, isDirect: index === 0, args: words.slice(index + 1) };
      // `git-push` is a command of git.
      if (program.startsWith('git-'))
        yield {
          ...base,
          program: 'git',
          written: 'git',
          isNamed,
          isDirect: false,
          args: [{ ...words[index]!, text: program.slice(4) }, ...words.slice(index + 1)],
        };
    }
  }
}

/** How many rests of so many words are read: all of them together take a time that is in proportion to the line. */
function takeRests(words: number, collected: Collected): number {
  const room = Math.min(mostOfRests, collected.restRoom);
  const most = Math.min(mostInner, words, Math.max(fewestInner, Math.floor(room / words)));
  if (most < words) collected.isWhole = false;
  collected.restRoom -= most * words;
  return most;
}

/** The words of a command in each way they can be read; beyond so many ways, all that a word may be stands side by side. */
function listReadings({ words }: ShellCommand, scope: Scope): readonly (readonly RunWord[])[] {
  let readings: RunWord[][] = [[]];
  for (const word of words) {
    const own = expandWord(word, scope);
    const isShort = words.length <= mostWeighed && readings.length * own.length <= mostReadings;
    if (own.length > 1 && isShort) readings = readings.flatMap((reading) => own.map((next) => [...reading, ...next]));
    else {
      // Side by side they are none of the ways.
      const isOne = own.length <= 1;
      for (const reading of readings)
        reading.push(...own.flat().map((next) => (isOne ? next : { ...next, isKnown: false })));
    }
  }
  return readings;
}

function nameOf(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).toLowerCase();
  const plain = name.replace(/\.(?:exe|cmd)$/, '').replace(/(?<=\w)@[\w.^~-]*$/, '');
  if (!/sh[-\d]/.test(plain)) return plain;
  const unversioned = withoutVersion(plain);
  return shells.has(unversioned) ? unversioned : plain;
}
