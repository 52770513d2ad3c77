import { createRepair, spanning } from '../../../json/result/repair-result.ts';
import { type Found, type PlacedCall, unreadable, type WrittenCall } from '../../contract/envelope.ts';
import { resolveName } from '../../contract/resolve-tool-name.ts';
import { type CallWatch, noWatch } from '../../source/call-watch.ts';
import { parseJson } from '../../../json/document/read-valid-document.ts';
import { GrowingText, type Reading, readToEnd } from '../../source/growing-text.ts';
import { type CodeLayout, type LiteralPlace, readParentheses } from './read-parentheses.ts';
import { endOfName, passBetweenStatements, readStatementStart } from './statement-bounds.ts';

/**
 * Reads calls written as code, `f(a=1, b="x")`, separated by commas, semicolons or line breaks. In a list, each call
 * may be quoted, and `+` may separate calls. Returns undefined if there is anything else.
 */
export function* readCallLiterals(
  source: GrowingText,
  from: number,
  place: LiteralPlace,
  watch: CallWatch = noWatch,
): Reading<Found | undefined> {
  const isProgram = place.layout.isProgram === true;
  const variables = new Set<string>();
  const opened = yield* openList(source, from, place.layout, variables);
  const { brackets } = opened;
  const isList = brackets > 0;
  const calls: WrittenCall[] = [];
  let { at } = opened;
  let end = at;
  /** The end of the previous list, if another list may continue it. */
  let listEnd = -1;
  for (;;) {
    const statement = isProgram ? yield* readStatementStart(source, at) : undefined;
    const item = yield* readItem(source, statement?.at ?? at, { isProgram, isList, place, watch });
    if (item === undefined) break;
    if (statement?.variable !== undefined) variables.add(statement.variable);
    calls.push(...item.calls);
    ({ end } = item);
    listEnd = -1;
    if (!item.calls.every(isWhole)) return { ...item, calls };
    if (isProgram) ({ at, end } = yield* passBetweenStatements(source, end, variables));
    else {
      if ((yield* source.hasCharacter(end)) && source.text[end] === ';') end += 1;
      if (isList) end = yield* source.skipMatch(indices, end);
      at = yield* source.skipMatches(isList ? listSeparators : separators, end);
    }
    if (!isList || (source.text[at] !== ']' && source.text[at] !== '}')) continue;
    const closed = yield* closeList(source, at, brackets);
    if (closed.next === -1) {
      end = isProgram ? (yield* passBetweenStatements(source, closed.end, variables)).end : closed.end;
      return { end, calls };
    }
    listEnd = closed.end;
    at = closed.next;
  }
  if (calls.length === 0) return undefined;
  if (listEnd !== -1) return { end: listEnd, calls };
  if (!isList) return { end: isProgram ? end : yield* source.skipMatch(strayBrackets, end), calls };
  if (place.isLikely) return { end, calls };
  // A list whose bracket is missing at the end of its paragraph still contains complete calls. If other text follows, it
  // is not a list.
  const next = yield* source.skipMatches(listSeparators, end);
  const isEnd = next >= source.text.length || /^\s*\n\s*\n\s*$/.test(source.text.slice(end, next));
  return isEnd || (yield* source.needleAt(place.closers, next)) !== undefined ? { end, calls } : undefined;
}

/** Passes what may precede the first call: `return`, the brackets of a list, and in a program comments and `x = [`. */
function* openList(
  source: GrowingText,
  from: number,
  { isList, isProgram }: CodeLayout,
  variables: Set<string>,
): Reading<{ readonly at: number; readonly brackets: number }> {
  let at =
    isProgram === true ? (yield* passBetweenStatements(source, from, variables)).at : yield* source.skipSpace(from);
  let brackets = 0;
  if (isList !== true) return { at, brackets };
  at = yield* source.skipMatch(returnKeyword, at);
  // `x = [f(), g()]`
  const list = isProgram === true ? yield* readStatementStart(source, at) : undefined;
  if (list?.variable !== undefined && source.text[list.at] === '[') {
    ({ at } = list);
    variables.add(list.variable);
  }
  for (; brackets < 2; brackets += 1) {
    const inner = yield* source.skipMatch(listOpener, at);
    if (inner === at) break;
    at = yield* source.skipSpace(inner);
  }
  return { at, brackets };
}

/**
 * Passes the closer of a list. `next` is the first item of the list that continues it, as in `[[f()], [g()]]`, `[f()], [g()]`
 * and `[f()] + [g()]`, or -1.
 */
function* closeList(
  source: GrowingText,
  at: number,
  brackets: number,
): Reading<{ readonly end: number; readonly next: number }> {
  const end = yield* source.skipMatch(indices, at + 1);
  const next = yield* source.skipMatches(listSeparators, end);
  if (brackets === 2 && source.text[next] === ']')
    return { end: yield* source.skipMatch(strayBrackets, next + 1), next: -1 };
  const goesOn = source.text[next] === '[' && (brackets === 2 || /[,+]/.test(source.text.slice(end, next)));
  if (goesOn) return { end, next: yield* source.skipSpace(next + 1) };
  return { end: yield* source.skipMatch(strayBrackets, end), next: -1 };
}

// Markdown may escape the brackets. Some models write braces.
const listOpener = /\\?\[|\{(?=[A-Za-z_][\w.]{0,127}\()/y;

// `return [f()]`, `call f()` at the beginning of a program or a message.
const returnKeyword = /(?:return|call) {1,4}(?=[[A-Za-z_])/y;

const strayClosers = /\){1,3}/y;

// `[f()])`, `[f()]]`: superfluous closers at the end of a list, if nothing else follows.
const strayBrackets = /[)\]}]{1,3}(?![^\s`<.])/y;

// `[0]["shelf"]`: a program's access to a result.
const indices = /(?:\[(?:\d{1,6}|"[^"\\\n\]]{0,64}"|'[^'\\\n\]]{0,64}')\]){1,4}(?![[.(\w])(?!\s{0,4}[=!<>])/y;

// A string that contains a backslash and begins with a call.
const encodedCallPattern = /"(?=\s{0,9}[A-Za-z_$][\w$.\\-]{0,127}\()(?:[^"\\\n]|\\.){1,4000}"(?=\s{0,9}[,\]])/y;

/** Reads a list item that is a JSON string with escapes and contains a call: `"f(a=\"x\")"`. */
function* readEncodedItem(source: GrowingText, at: number): Reading<Found | undefined> {
  if (source.text[at] !== '"') return undefined;
  const [string] = (yield* source.matchAt(encodedCallPattern, at)) ?? [];
  const text = string?.includes('\\"') === true ? parseJson(string) : undefined;
  if (string === undefined || typeof text !== 'string') return undefined;
  const inner = new GrowingText(source, text);
  const found = readToEnd(readCallLiterals(inner, 0, { layout: { isList: true }, closers: [], isLikely: false }));
  if (found === undefined || text.slice(found.end).trim() !== '') return undefined;
  const end = at + string.length;
  // Offsets in the decoded text differ from those in the message.
  return { calls: found.calls.map((call) => ({ ...call, repairs: spanning(call.repairs, at, end) })), end };
}

interface ItemPlace {
  readonly isProgram: boolean;
  readonly isList: boolean;
  readonly place: LiteralPlace;
  readonly watch: CallWatch;
}

const itemQuotePattern = /\{?["'`]/y;

/** Reads a call. In a list, also a string with calls, and a call in quotes that were not escaped for it: `'f(a='x')'`, `{'f()'}`. */
function* readItem(source: GrowingText, from: number, item: ItemPlace): Reading<Found | undefined> {
  const encoded = item.isList ? yield* readEncodedItem(source, from) : undefined;
  if (encoded !== undefined) return encoded;
  const one = yield* readOne(source, from, item);
  if (one !== undefined) return yield* passStrayClosers(source, one, item.isProgram);
  const quote = item.isList ? (yield* source.matchAt(itemQuotePattern, from))?.[0] : undefined;
  if (quote === undefined) return undefined;
  // Without its closing quote, it is no call, so a stream shows it when it ends.
  const quoted = yield* readOne(source, from + quote.length, { ...item, watch: noWatch });
  if (quoted === undefined || !isWhole(quoted.call)) return undefined;
  const closer = quote.startsWith('{') ? `${quote.slice(1)}}` : quote;
  const end = yield* source.skipMatch(strayClosers, quoted.end);
  if ((yield* source.needleAt([closer], end)) === undefined) return undefined;
  return yield* passStrayClosers(source, { ...quoted, end: end + closer.length }, item.isProgram);
}

/** `f(a=1))`: passes superfluous closers after a call. */
function* passStrayClosers(
  source: GrowingText,
  { call, end, isInterrupted = false }: PlacedCall,
  isProgram: boolean,
): Reading<Found> {
  const after = call.ending === 'closed' && !isProgram ? yield* source.skipMatch(strayClosers, end) : end;
  if (after === end) return { end, calls: [call], isInterrupted };
  const repair = createRepair(source.text, 'extra-closer', 'lossy', end, after);
  return { end: after, calls: [{ ...call, risk: 'lossy', repairs: [...call.repairs, repair] }], isInterrupted };
}

function isWhole({ ending, name }: WrittenCall): boolean {
  return ending === 'closed' && name !== undefined;
}

const spaces = / {1,99}/y;
const nameQuotePattern = /["'`](?=[A-Za-z_$])/y;

function* readOne(source: GrowingText, from: number, item: ItemPlace): Reading<PlacedCall | undefined> {
  const { isProgram, place, watch } = item;
  const quote = (yield* source.matchAt(nameQuotePattern, from))?.[0] ?? '';
  const nameStart = from + quote.length;
  const nameEnd = yield* endOfName(source, nameStart);
  if (nameEnd === nameStart || (yield* source.needleAt([quote], nameEnd)) === undefined) return undefined;
  const open = yield* source.skipMatch(spaces, nameEnd + quote.length);
  if (source.text[open] !== '(') return undefined;
  const written = source.text.slice(nameStart, nameEnd);
  if (isProgram && written === 'print' && !source.tools.some((tool) => tool.name === written)) {
    const first = yield* source.skipSpace(open + 1);
    // A stream shows the call when it ends, because code may follow inside the parentheses.
    const inner = yield* readOne(source, first, { ...item, isProgram: false, watch: noWatch });
    if (inner === undefined) return undefined;
    const end = yield* source.skipSpace(inner.end);
    return source.text[end] === ')' ? { call: inner.call, end: end + 1 } : undefined;
  }
  const name = written.endsWith('.call') ? written.slice(0, -5) : written;
  const tool = resolveName(source.tools, name);
  const isCall = place.isLikely && tool !== undefined;
  // Each attempt may read to the end of the text without success. The total cost of such attempts stays linear.
  if (!source.mayGuess(open)) return isCall ? { call: unreadable, end: open + 1 } : undefined;
  const begun = isCall ? watch.begin(name) : undefined;
  const found = yield* readParentheses(source, open, place, begun, tool);
  if (!isCall || found.machine.failure !== undefined) source.guessed += found.looked;
  const { end, hasClosingTag, isInterrupted } = found;
  const { root, positional, risk, repairs, failure } = found.machine;
  if (failure !== undefined) return isCall ? { call: unreadable, end: Math.max(end, open + 1) } : undefined;
  const isOpen = isInterrupted && found.machine.ending === 'open';
  const ending = isOpen || found.hasAmbiguousEnd ? 'cut' : found.machine.ending;
  const call: WrittenCall = { name, arguments: root, positional, ending, hasClosingTag, risk, repairs };
  return { call, end, isInterrupted };
}

// Between the items of a list, `+`, `and`, comments and the backslash of an escaped closer may occur.
const separators = /[\s,;|]{1,400}/y;
const listSeparators = /[\s,;+|]{1,400}|(?:#|\/\/)[^\n]{0,200}\n|and\s|\\(?=\])/y;
