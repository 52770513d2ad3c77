import { isDigit, isNameStart, isWhitespace } from '../../../json/text/characters.ts';
import { readValue } from '../../../json/document/read-value.ts';
import { readWithBareWords } from './bare-words.ts';
import { createBoundScanner } from '../../source/bound-scanner.ts';
import { noWatch, type ArgumentsWatch, type CallWatch } from '../../source/call-watch.ts';
import type { CallableTool } from '../../contract/callable-tool.ts';
import { unreadable, type Found, type WrittenCall } from '../../contract/envelope.ts';
import { isDoubtful } from '../../source/is-doubtful.ts';
import {
  hasCharacter,
  mayGuess,
  needleAt,
  showFrom,
  type GrowingText,
  type Reading,
} from '../../source/growing-text.ts';
import { beginsCall, nextBound } from '../../source/next-bound.ts';
import { readPlainCode, type CodeArguments } from './read-plain-code.ts';
import { passBetweenStatements, readStatementStart } from './read-statement.ts';
import { resolveName } from '../../contract/resolve-name.ts';

/** How calls written like code may be laid out. */
export interface CallLiteralLayout {
  /** Whether they may stand in brackets, `[f(a=1), g()]`. */
  readonly isList?: boolean;
  /** Whether they may stand in a program: `x = f(a=1)`, `await f()`, `print(f(a=1))`, with comments between them. */
  readonly isProgram?: boolean;
}

/** Where calls written like code stand. */
export interface LiteralPlace {
  readonly layout: CallLiteralLayout;
  /** What may end them; may be missing in the text. */
  readonly closers: readonly string[];
  /** Whether a declared tool's name and a parenthesis make a call, which is reported if it cannot be read. */
  readonly isCertain: boolean;
}

/**
 * Reads calls written like code, `f(a=1, b="x")`, separated by commas, semicolons or line breaks.
 * `undefined` when something else stands there.
 */
export function* readCallLiterals(
  source: GrowingText,
  from: number,
  place: LiteralPlace,
  watch: CallWatch = noWatch,
): Reading<Found | undefined> {
  const isProgram = place.layout.isProgram === true;
  const calls: WrittenCall[] = [];
  const variables = new Set<string>();
  let at = isProgram ? (yield* passBetweenStatements(source, from, variables)).at : yield* passBlank(source, from);
  let brackets = 0;
  while (place.layout.isList === true && source.text[at] === '[' && brackets < 2) {
    brackets += 1;
    at = yield* passBlank(source, at + 1);
  }
  let end = at;
  for (;;) {
    const statement = isProgram ? yield* readStatementStart(source, at) : undefined;
    const one = yield* readOne(source, statement?.at ?? at, isProgram, place, watch, String(calls.length));
    if (one === undefined) break;
    if (statement?.variable !== undefined) variables.add(statement.variable);
    end = one.call.ending === 'closed' && !isProgram ? yield* passStrayClosers(source, one.end) : one.end;
    calls.push(end === one.end ? one.call : withExtraCloser(source, one, end));
    if (one.call.ending !== 'closed' || one.call.name === undefined) {
      return { end, calls, isInterrupted: one.isInterrupted === true };
    }
    if (isProgram) ({ at, end } = yield* passBetweenStatements(source, end, variables));
    else {
      if ((yield* hasCharacter(source, end)) && source.text[end] === ';') end += 1;
      at = yield* passBetween(source, end);
    }
    if (brackets > 0 && source.text[at] === ']') {
      if (brackets === 1) return { end: at + 1, calls };
      const next = yield* passBetween(source, at + 1);
      if (source.text[next] !== '[') return { end: source.text[next] === ']' ? next + 1 : at + 1, calls };
      // `[[f()], [g()]]`
      at = yield* passBlank(source, next + 1);
    }
  }
  if (calls.length === 0) return undefined;
  if (brackets === 0 || place.isCertain) return { end, calls };
  // A list whose bracket is missing at the very end still holds whole calls; one that goes on in another way is no list.
  const next = yield* passBetween(source, end);
  return next >= source.text.length || (yield* needleAt(source, place.closers, next)) !== undefined
    ? { end, calls }
    : undefined;
}

const MOST_STRAY = 3;

/** `f(a=1))`: closers that nothing opened, where a call may end. */
function* passStrayClosers(source: GrowingText, from: number): Reading<number> {
  let at = from;
  while (at - from < MOST_STRAY && (yield* hasCharacter(source, at)) && source.text[at] === ')') at += 1;
  return at;
}

function withExtraCloser({ text }: GrowingText, { call, end: start }: OneCall, end: number): WrittenCall {
  const repair = {
    code: 'extra-closer',
    start,
    end,
    found: text.slice(start, end),
    assumed: '',
    risk: 'lossy',
  } as const;
  return { ...call, risk: call.risk === 'truncated' ? call.risk : 'lossy', repairs: [...call.repairs, repair] };
}

interface OneCall {
  readonly call: WrittenCall;
  readonly end: number;
  readonly isInterrupted?: boolean;
}

function* readOne(
  source: GrowingText,
  from: number,
  isProgram: boolean,
  place: LiteralPlace,
  watch: CallWatch,
  path: string,
): Reading<OneCall | undefined> {
  const nameEnd = yield* endOfName(source, from);
  if (nameEnd === from) return undefined;
  const open = yield* passSpaces(source, nameEnd);
  if (source.text[open] !== '(') return undefined;
  const written = source.text.slice(from, nameEnd);
  if (isProgram && written === 'print' && !source.tools.some((tool) => tool.name === written)) {
    const first = yield* passBlank(source, open + 1);
    const inner = yield* readOne(source, first, false, place, watch, path);
    if (inner === undefined) return undefined;
    const end = yield* passBlank(source, inner.end);
    return source.text[end] === ')' ? { call: inner.call, end: end + 1 } : undefined;
  }
  const name = written.endsWith('.call') ? written.slice(0, -5) : written;
  const isCall = place.isCertain && resolveName(source.tools, name) !== undefined;
  // Each may lead to the end of the text for nothing: what that costs in all stays in proportion to it.
  if (!mayGuess(source, open)) return isCall ? { call: { ...unreadable, path }, end: open + 1 } : undefined;
  const begun = isCall ? watch.begin(path, name) : undefined;
  const found = yield* readParentheses(source, open, place, begun, resolveName(source.tools, name)?.tool);
  if (!isCall || found.machine.failure !== undefined) source.guessed += found.looked;
  const { end, isTagged = false, isInterrupted = false } = found;
  const { root, positional, risk, repairs, failure } = found.machine;
  if (failure !== undefined)
    return isCall ? { call: { ...unreadable, path }, end: Math.max(end, open + 1) } : undefined;
  const isOpen = isInterrupted && found.machine.ending === 'open';
  const ending = isOpen || found.isDoubtful === true ? 'cut' : found.machine.ending;
  const call: WrittenCall = { name, arguments: root, positional, ending, isTagged, risk, repairs, path };
  return { call, end, isInterrupted };
}

interface ReadParentheses {
  readonly machine: CodeArguments;
  readonly end: number;
  /** How many characters were looked at to find where it ends. */
  readonly looked: number;
  readonly isDoubtful?: boolean;
  readonly isTagged?: boolean;
  readonly isInterrupted?: boolean;
}

const MOST_TRIED = 4;

/** Reads what stands in the parentheses that open at an offset, up to the first bound where they read as closed. */
function* readParentheses(
  source: GrowingText,
  open: number,
  { closers, layout }: LiteralPlace,
  begun: ArgumentsWatch | undefined,
  tool: CallableTool | undefined,
): Reading<ReadParentheses> {
  // Where no variables can be, a word is what it says.
  const owner = layout.isList === true && layout.isProgram !== true ? tool : undefined;
  const shown = showFrom(source, open, begun?.code);
  shown.catchUp();
  const scanner = createBoundScanner(open, { closers, openers: [], calls: source.calls, areBalanced: true });
  let tried = 0;
  let last = 0;
  for (;;) {
    const bound = yield* nextBound(source, scanner, shown.add);
    shown.catchUp();
    if (bound === undefined) {
      const machine = readArguments(source, open, source.text.length, source.stopped, owner, tool);
      const looked = source.text.length - open;
      return { machine, end: machine.rootEnd, looked, isDoubtful: yield* isDoubtful(source, machine, undefined) };
    }
    if (bound.kind === 'call' && !(yield* beginsCall(source, bound))) continue;
    if (tried >= MOST_TRIED && bound.at - open < last * 1.5) continue;
    tried += 1;
    last = bound.at - open;
    const machine = readArguments(source, open, bound.at, 'stop', owner, tool);
    if (machine.failure === undefined && machine.ending === 'closed') {
      if (yield* isDoubtful(source, machine, bound.kind)) continue;
      return { machine, end: machine.rootEnd, looked: last };
    }
    if (bound.kind === 'balanced' ? machine.failure !== undefined : bound.kind !== 'closer' || !isInString(machine)) {
      const isTagged = bound.kind === 'closer';
      return { machine, end: bound.at, looked: last, isTagged, isInterrupted: bound.kind === 'call' };
    }
  }
}

function readArguments(
  { text, limits }: GrowingText,
  open: number,
  end: number,
  stopped: 'stop' | 'length' | undefined,
  owner: CallableTool | undefined,
  tool: CallableTool | undefined,
): CodeArguments {
  const options = { ...(stopped === undefined ? {} : { stopped }), ...(limits === undefined ? {} : { limits }) };
  const machine = readValue(text.slice(0, end), open + 1, 'arguments', options);
  const isCertain = machine.failure === undefined && machine.ending === 'closed' && machine.risk !== 'lossy';
  if (isCertain && !machine.hasDoubtfulEnd) return machine;
  const plain = readPlainCode(text.slice(0, end), open + 1, tool, options);
  if (plain !== undefined) return plain;
  if (machine.failure === undefined || owner === undefined) return machine;
  return readWithBareWords(text.slice(open + 1, end), open + 1, owner, options) ?? machine;
}

function isInString({ repairs }: CodeArguments): boolean {
  return repairs.some(({ code }) => code === 'cut-string');
}

const LONGEST_NAME = 256;

/** Where a name with dots and dashes ends; `from` itself when none begins there. */
export function* endOfName(source: GrowingText, from: number): Reading<number> {
  if (!(yield* hasCharacter(source, from)) || !isNameStart(source.text.charCodeAt(from))) return from;
  let at = from + 1;
  while (yield* hasCharacter(source, at)) {
    const code = source.text.charCodeAt(at);
    if (!isNameStart(code) && !isDigit(code)) {
      const isJoint = source.text[at] === '.' || source.text[at] === '-' || source.text[at] === '/';
      if (!isJoint || !(yield* hasCharacter(source, at + 1)) || !isNameStart(source.text.charCodeAt(at + 1))) return at;
    }
    at += 1;
    if (at - from > LONGEST_NAME) return from;
  }
  return at;
}

function* passSpaces(source: GrowingText, from: number): Reading<number> {
  let at = from;
  while ((yield* hasCharacter(source, at)) && source.text[at] === ' ') at += 1;
  return at;
}

function* passBlank(source: GrowingText, from: number): Reading<number> {
  let at = from;
  while ((yield* hasCharacter(source, at)) && isWhitespace(source.text.charCodeAt(at))) at += 1;
  return at;
}

function* passBetween(source: GrowingText, from: number): Reading<number> {
  let at = from;
  while ((yield* hasCharacter(source, at)) && isBetween(source.text, at)) at += 1;
  return at;
}

function isBetween(text: string, at: number): boolean {
  return isWhitespace(text.charCodeAt(at)) || text[at] === ',' || text[at] === ';';
}
