import type { RunCommand, RunRedirection, ExpandedShell } from '../run/run-command.ts';
import { expandWord } from './expand-word.ts';
import { innerLinesOf, writtenLines, type InnerLine } from '../programs/lines-inside-programs.ts';
import { maxLineLength, readEvaluated, readLine, readShell } from './parse-evaluated-shell.ts';
import { evaluateTexts, listSet } from './evaluate-texts.ts';
import { isEvaluator, numberVariables } from './evaluated-words.ts';
import { LineScope, type LineState } from './line-scope.ts';
import { allRests, listRuns } from './list-expanded-commands.ts';
import { differsInOtherShells, mayRunInOtherShell, runsInShell } from '../programs/programs.ts';
import { mayReadPart, readsLines, readsScriptFromInput } from '../programs/starts-shell.ts';
import type { RunWord, Scope, Value } from '../run/run-word.ts';
import type { Evaluation, ShellCommand } from '../syntax/shell-word.ts';
import type { ShellEnvironment } from '../run/default-values.ts';
import { collectVariables, joinValues, unset, type Variables } from './shell-variables.ts';

const maxDepth = 8;
const maxAssignedValues = 100;
// Maximum number of characters for nested lines together. Legitimate lines need less.
const maxCharacters = 2 * maxLineLength;
// Maximum number of characters for values. Values that contain each other double with each step.
const maxValueCharacters = 10 * maxLineLength;
/** A quick test for the next three patterns. Most lines match none of the three. */
const changesRun = /\b(?:for|while|until|select|function|alias|set|shift)\b|\(\s*\)/;
const repeats = /\b(?:for|while|until|select)\b|\(\s*\)|\bfunction\b/;
const definesFunction = /\(\s*\)|\bfunction\b|\balias\b/;
const changesArguments = /\(\s*\)|\bfunction\b|\bset\b|\bshift\b/;

/**
 * Lists every command that a line runs: through wrappers (`sudo`, `env -S`, `xargs`, `find -exec`, `ssh`), shells
 * (`bash -c "…"`, or text piped or redirected into a shell), `eval` and `trap`, at any nesting depth. Braces are
 * expanded, and variables are replaced where the line shows their values. The list may contain commands that do not
 * run, but never misses a command that the text spells out.
 */
export function expandCommands(line: string, environment: ShellEnvironment = {}): ExpandedShell {
  const { cwd, home } = environment;
  if (latest?.line !== line || latest.cwd !== cwd || latest.home !== home)
    latest = { line, cwd, home, expanded: expandAnew(line, environment) };
  return latest.expanded;
}

// One decision expands the same line many times, mostly once for each rule.
let latest: (ShellEnvironment & { readonly line: string; readonly expanded: ExpandedShell }) | undefined;

function expandAnew(line: string, environment: ShellEnvironment): ExpandedShell {
  const collected: Collected = {
    environment,
    commands: [],
    redirections: [],
    assigned: new Map(),
    isWhole: true,
    runsUnknownText: false,
    feedsGroup: false,
    hasInput: false,
    moves: false,
    evaluationUncertainties: new Set(),
    evaluations: [],
    evaluators: new Set(),
    values: new Map(),
    defaults: [new Map(), new Map()],
    hasArguments: false,
    definesFunctions: false,
    pipelines: 0,
    seen: new Map(),
    known: new Set(),
    setElsewhere: new Set(),
    room: maxCharacters,
    valueRoom: maxValueCharacters,
    restRoom: allRests,
  };
  expand({ text: line, isKnown: true, hasArguments: false }, collected, 0, new Map());
  for (const [name, values] of listSet(collected.commands))
    if (!hasValues(collected.values.get(name) ?? [], values)) collected.setElsewhere.add(name);
  for (const name of collected.setElsewhere)
    if (collected.known.has(name))
      collected.evaluationUncertainties.add(`the value of ${name.slice(0, 40)} is unknown`);
  evaluate(collected);
  return collected;
}

interface Collected extends LineState {
  readonly commands: RunCommand[];
  readonly redirections: RunRedirection[];
  readonly assigned: Map<string, string[]>;
  runsUnknownText: boolean;
  feedsGroup: boolean;
  hasInput: boolean;
  moves: boolean;
  readonly evaluationUncertainties: Set<string>;
  /** Texts that Bash evaluates according to the grammar, and texts in arguments of commands that evaluate them. */
  readonly evaluations: Evaluation[];
  readonly evaluators: Set<ShellCommand>;
  /** All values that a variable is set to, in any line. */
  readonly values: Map<string, readonly Value[]>;
  hasArguments: boolean;
  definesFunctions: boolean;
  pipelines: number;
  /** The lines that are already expanded, for each state of the variables. */
  readonly seen: Map<Variables, Set<string>>;
  /** Variables that a command sets other than by an assignment of its own line, such as `x` in `eval x=1`. */
  readonly setElsewhere: Set<string>;
  /** Number of characters that may still be expanded. */
  room: number;
  /** Number of words that may still be read as remaining words of wrappers. */
  restRoom: number;
}

function expand(line: InnerLine, collected: Collected, depth: number, inherited: Variables): void {
  const { text } = line;
  if (!line.isKnown) collected.runsUnknownText = true;
  const seen = collected.seen.get(inherited) ?? new Set();
  collected.seen.set(inherited, seen);
  const key = `${line.hasArguments} ${line.isInput} ${line.isForeign} ${text}`;
  if (seen.has(key)) return;
  seen.add(key);
  collected.room -= Math.min(text.length, maxLineLength);
  if (depth > maxDepth || collected.room < 0) {
    collected.isWhole = false;
    return;
  }
  if (line.isForeign && differsInOtherShells.test(text))
    collected.evaluationUncertainties.add('a shell other than Bash may read a text differently');
  const parsed = line.isEvaluated ? readEvaluated(text) : depth === 0 ? readLine(text) : readShell(text);
  for (const evaluation of parsed.evaluations) collected.evaluations.push(evaluation);
  if (!parsed.isWhole) collected.isWhole = false;
  // Nested lines may read the input of the outer line.
  collected.feedsGroup ||= parsed.feedsGroup || (depth > 0 && collected.hasInput);
  collected.hasInput ||= parsed.hasInput;
  const base = collected.pipelines;
  for (const { pipeline, assignments, words } of parsed.commands) {
    for (const word of words) if (goes.has(word.text)) collected.moves = true;
    collected.pipelines = Math.max(collected.pipelines, base + pipeline);
    for (const { text: assignment } of assignments) noteAssigned(assignment, collected);
  }
  const mayChange = changesRun.test(text);
  const hasArguments = line.hasArguments || (mayChange && changesArguments.test(text));
  collected.hasArguments ||= hasArguments;
  collected.definesFunctions ||= mayChange && definesFunction.test(text);
  const scopeOf = (known: Variables): Scope => new LineScope(known, collected, { hasArguments, isEvaluating: false });
  const variables = collectVariables(
    parsed.commands,
    inherited,
    { text, hasLoop: mayChange && repeats.test(text) },
    scopeOf,
  );
  const scope = scopeOf(variables);
  if (variables !== inherited)
    for (const [name, values] of variables) {
      if (line.isOwn && values !== inherited.get(name)) collected.setElsewhere.add(name);
      collected.values.set(name, joinValues(name, collected.values.get(name) ?? [], values));
    }

  const inner: InnerLine[] = [];
  const written: InnerLine[] = [];
  let hasShell = false;
  let readsInput = false;
  let hasOperands = false;
  let isForeign = false;
  let isOwn = false;
  let holdsExpansions = false;
  const pipelines = new Set<number>();
  for (const command of parsed.commands) {
    // A command after a pipe has another input.
    if (line.isInput && !pipelines.has(command.pipeline) && mayReadPart(command))
      collected.evaluationUncertainties.add('a shell runs a text that another command may have read in part');
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
        isForeign ||= mayRunInOtherShell(run, line.isForeign === true);
        isOwn ||= runsInShell.has(run.program);
        hasOperands ||= run.args.length > 1 || run.args.some(({ text }) => !text.startsWith('-'));
      }
      const own = innerLinesOf(run);
      const isOther = own.length > 0 && mayRunInOtherShell(run, line.isForeign === true);
      for (const next of own) inner.push({ ...next, isForeign: isOther, isOwn: runsInShell.has(run.program) });
      const texts = run.isDirect ? writtenLines(run) : undefined;
      if (texts) written.push(...texts);
    }
    for (const { operator, target } of command.redirections)
      if (operator === '<<<') {
        written.push(...expandWord(target, scope).flat().map(toHereLine));
        if (!target.isLiteral) holdsExpansions = true;
      }
  }
  // A shell runs the text that is piped or written into it.
  if (hasShell && holdsExpansions)
    collected.evaluationUncertainties.add('a shell runs a here-string that Bash expands in its own way');
  if (hasShell)
    for (const own of written)
      inner.push({ ...own, isForeign, isOwn, hasArguments: hasOperands, ...(readsInput ? { isInput: true } : {}) });
  if (inner.length === 0) return;
  // A separate line may run at another time, or without the variables.
  const own =
    variables === inherited
      ? inherited
      : new Map([...variables].map(([name, values]) => [name, joinValues(name, values, unset(name, scope))] as const));
  const ofInput = line.isInput ? { isInput: line.isInput } : {};
  // `eval` and `trap` run their text with the arguments of the line around it.
  for (const next of inner)
    expand({ ...next, ...ofInput, hasArguments: next.hasArguments || hasArguments }, collected, depth + 1, own);
}

/** Follows the texts that Bash evaluates, and the texts found in them, until there are no new ones. */
function evaluate(collected: Collected): void {
  const read = new Set<string>();
  for (let round = 0; round < maxDepth; round += 1) {
    const evaluations = collected.evaluations.splice(0);
    const commands = Array.from(collected.evaluators);
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
    if (isEmpty && !setsNumbers(collected.values)) return;
    const hasArguments = collected.hasArguments || collected.commands.some(({ program }) => setsArguments.has(program));
    const scope = new LineScope(collected.values, collected, { hasArguments, isEvaluating: true });
    const runs = commands.flatMap((command) => listRuns(command, 0, scope, collected));
    const { uncertainties, texts, lines } = evaluateTexts(evaluations, runs, scope);
    for (const uncertainty of uncertainties) collected.evaluationUncertainties.add(uncertainty);
    let isNew = false;
    const readOnce = (text: string, kind: Pick<InnerLine, 'isEvaluated'>): void => {
      const key = `${hasArguments} ${kind.isEvaluated} ${text}`;
      if (read.has(key)) return;
      read.add(key);
      isNew = true;
      expand({ isKnown: true, hasArguments, text, ...kind }, collected, 1, collected.values);
    };
    for (const text of texts) readOnce(text, { isEvaluated: true });
    for (const text of lines) readOnce(text, {});
    if (!isNew) return;
  }
}

/** Returns whether the variables include any that Bash evaluates as arithmetic. */
function setsNumbers(values: Variables): boolean {
  for (const name of values.keys()) if (numberVariables.has(name)) return true;
  return false;
}

/** Returns whether values that a command sets are among the values that a variable is known to hold. */
function hasValues(known: readonly Value[], values: readonly Value[]): boolean {
  return known.some(({ isOpen }) => isOpen) || values.every(({ text }) => known.some((other) => other.text === text));
}

const goes: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd']);

const setsArguments: ReadonlySet<string> = new Set(['set', 'shift', 'source', '.']);

function noteAssigned(text: string, collected: Collected): void {
  const name = /^\w*/.exec(text)![0];
  const values = collected.assigned.get(name) ?? [];
  collected.assigned.set(name, values);
  if (values.length < maxAssignedValues) values.push(text.slice(text.indexOf('=') + 1));
  else collected.isWhole = false;
}

function toHereLine({ text, isKnown, glob }: RunWord): InnerLine {
  return { text, isKnown: isKnown && glob === undefined, hasArguments: false };
}
