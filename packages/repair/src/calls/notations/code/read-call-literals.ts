import { createRepair, spanning } from '../../../json/result/repair-result.ts';
import { type Found, type PlacedCall, unreadable, type WrittenCall } from '../../contract/envelope.ts';
import { resolveName } from '../../contract/resolve-tool-name.ts';
import { type CallWatch, noWatch } from '../../source/call-watch.ts';
import { parseJson } from '../../../json/document/read-valid-document.ts';
import {
  skipMatch,
  skipMatches,
  endedText,
  type GrowingText,
  hasCharacter,
  matchAt,
  mayGuess,
  needleAt,
  type Reading,
  readToEnd,
  skipSpace,
} from '../../source/growing-text.ts';
import { type LiteralPlace, readParentheses } from './read-parentheses.ts';
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
  const calls: WrittenCall[] = [];
  const variables = new Set<string>();
  let at = isProgram ? (yield* passBetweenStatements(source, from, variables)).at : yield* skipSpace(source, from);
  if (place.layout.isList === true) at = yield* skipMatch(source, returnKeyword, at);
  // `x = [f(), g()]`
  const list = isProgram ? yield* readStatementStart(source, at) : undefined;
  if (list?.variable !== undefined && source.text[list.at] === '[') {
    ({ at } = list);
    variables.add(list.variable);
  }
  let brackets = 0;
  while (place.layout.isList === true && brackets < 2) {
    const opened = yield* skipMatch(source, listOpener, at);
    if (opened === at) break;
    brackets += 1;
    at = yield* skipSpace(source, opened);
  }
  let end = at;
  /** The end of the previous list, if another list may continue it. */
  let listEnd = -1;
  for (;;) {
    const statement = isProgram ? yield* readStatementStart(source, at) : undefined;
    const begin = statement?.at ?? at;
    const encoded = brackets > 0 ? yield* readEncodedItem(source, begin) : undefined;
    if (encoded === undefined) {
      const one = yield* readItem(source, begin, { isProgram, isList: brackets > 0, place, watch });
      if (one === undefined) break;
      if (statement?.variable !== undefined) variables.add(statement.variable);
      end = one.call.ending === 'closed' && !isProgram ? yield* skipMatch(source, strayClosers, one.end) : one.end;
      calls.push(end === one.end ? one.call : withExtraCloser(source, one.call, one.end, end));
      if (one.call.ending !== 'closed' || one.call.name === undefined) {
        return { end, calls, isInterrupted: one.isInterrupted === true };
      }
    } else {
      calls.push(...encoded.calls);
      ({ end } = encoded);
    }
    listEnd = -1;
    if (isProgram) ({ at, end } = yield* passBetweenStatements(source, end, variables));
    else {
      if ((yield* hasCharacter(source, end)) && source.text[end] === ';') end += 1;
      if (brackets > 0) end = yield* skipMatch(source, indices, end);
      at = yield* skipMatches(source, brackets > 0 ? listSeparators : separators, end);
    }
    if (brackets > 0 && (source.text[at] === ']' || source.text[at] === '}')) {
      const closed = yield* skipMatch(source, indices, at + 1);
      const next = yield* skipMatches(source, listSeparators, closed);
      if (brackets === 2 && source.text[next] === ']') {
        end = yield* skipMatch(source, strayBrackets, next + 1);
        return { end, calls };
      }
      // `[[f()], [g()]]`, `[f()], [g()]`, `[f()] + [g()]`
      const goesOn = source.text[next] === '[' && (brackets === 2 || /[,+]/.test(source.text.slice(closed, next)));
      if (!goesOn) {
        end = yield* skipMatch(source, strayBrackets, closed);
        return { end: isProgram ? (yield* passBetweenStatements(source, end, variables)).end : end, calls };
      }
      listEnd = closed;
      at = yield* skipSpace(source, next + 1);
    }
  }
  if (calls.length === 0) return undefined;
  if (listEnd !== -1) return { end: listEnd, calls };
  if (brackets === 0) return { end: isProgram ? end : yield* skipMatch(source, strayBrackets, end), calls };
  if (place.isLikely) return { end, calls };
  // A list whose bracket is missing at the end of its paragraph still contains complete calls. If other text follows, it
  // is not a list.
  const next = yield* skipMatches(source, listSeparators, end);
  const isEnd = next >= source.text.length || /^\s*\n\s*\n\s*$/.test(source.text.slice(end, next));
  return isEnd || (yield* needleAt(source, place.closers, next)) !== undefined ? { end, calls } : undefined;
}

// Markdown may escape the brackets. Some models write braces.
const listOpener = /\\?\[|\{(?=[A-Za-z_][\w.]{0,127}\()/y;

// `return [f()]`, `call f()` at the beginning of a program or a message.
const returnKeyword = /(?:return|call) {1,4}(?=[[A-Za-z_])/y;

// `f(a=1))`: superfluous closers at the end of a call.
const strayClosers = /\){1,3}/y;

// `[f()])`, `[f()]]`: superfluous closers at the end of a list, if nothing else follows.
const strayBrackets = /[)\]}]{1,3}(?![^\s`<.])/y;

// `[0]["shelf"]`: a program's access to a result.
const indices = /(?:\[(?:\d{1,6}|"[^"\\\n\]]{0,64}"|'[^'\\\n\]]{0,64}')\]){1,4}(?![[.(\w])(?!\s{0,4}[=!<>])/y;

function withExtraCloser({ text }: GrowingText, call: WrittenCall, start: number, end: number): WrittenCall {
  const repair = createRepair(text, 'extra-closer', 'lossy', start, end);
  return { ...call, risk: 'lossy', repairs: [...call.repairs, repair] };
}

// A string that contains a backslash and begins with a call.
const encodedCallPattern = /"(?=\s{0,9}[A-Za-z_$][\w$.\\-]{0,127}\()(?:[^"\\\n]|\\.){1,4000}"(?=\s{0,9}[,\]])/y;

/** Reads a list item that is a JSON string with escapes and contains a call: `"f(a=\"x\")"`. */
function* readEncodedItem(source: GrowingText, at: number): Reading<Found | undefined> {
  if (source.text[at] !== '"') return undefined;
  const [string] = (yield* matchAt(source, encodedCallPattern, at)) ?? [];
  const text = string?.includes('\\"') === true ? parseJson(string) : undefined;
  if (string === undefined || typeof text !== 'string') return undefined;
  const inner = endedText({ ...source, text });
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

/** Reads a call. In a list, also a call in quotes that were not escaped for it: `'f(a='x')'`, `{'f()'}`. */
function* readItem(source: GrowingText, from: number, item: ItemPlace): Reading<PlacedCall | undefined> {
  const whole = yield* readOne(source, from, item);
  const quote = item.isList ? (yield* matchAt(source, itemQuotePattern, from))?.[0] : undefined;
  if (whole !== undefined || quote === undefined) return whole;
  // Without its closing quote, it is no call, so a stream shows it when it ends.
  const one = yield* readOne(source, from + quote.length, { ...item, watch: noWatch });
  if (one === undefined || one.call.ending !== 'closed' || one.call.name === undefined) return undefined;
  const closer = quote.startsWith('{') ? `${quote.slice(1)}}` : quote;
  const end = yield* skipMatch(source, strayClosers, one.end);
  return (yield* needleAt(source, [closer], end)) === undefined ? undefined : { ...one, end: end + closer.length };
}

const spaces = / {1,99}/y;
const nameQuotePattern = /["'`](?=[A-Za-z_$])/y;

function* readOne(source: GrowingText, from: number, item: ItemPlace): Reading<PlacedCall | undefined> {
  const { isProgram, place, watch } = item;
  const quote = (yield* matchAt(source, nameQuotePattern, from))?.[0] ?? '';
  const nameStart = from + quote.length;
  const nameEnd = yield* endOfName(source, nameStart);
  if (nameEnd === nameStart || (yield* needleAt(source, [quote], nameEnd)) === undefined) return undefined;
  const open = yield* skipMatch(source, spaces, nameEnd + quote.length);
  if (source.text[open] !== '(') return undefined;
  const written = source.text.slice(nameStart, nameEnd);
  if (isProgram && written === 'print' && !source.tools.some((tool) => tool.name === written)) {
    const first = yield* skipSpace(source, open + 1);
    // A stream shows the call when it ends, because code may follow inside the parentheses.
    const inner = yield* readOne(source, first, { ...item, isProgram: false, watch: noWatch });
    if (inner === undefined) return undefined;
    const end = yield* skipSpace(source, inner.end);
    return source.text[end] === ')' ? { call: inner.call, end: end + 1 } : undefined;
  }
  const name = written.endsWith('.call') ? written.slice(0, -5) : written;
  const tool = resolveName(source.tools, name)?.tool;
  const isCall = place.isLikely && tool !== undefined;
  // Each attempt may read to the end of the text without success. The total cost of such attempts stays linear.
  if (!mayGuess(source, open)) return isCall ? { call: unreadable, end: open + 1 } : undefined;
  const begun = isCall ? watch.begin(name) : undefined;
  const found = yield* readParentheses(source, open, place, begun, tool);
  if (!isCall || found.machine.failure !== undefined) source.guessed += found.looked;
  const { end, hasClosingTag = false, isInterrupted = false } = found;
  const { root, positional, risk, repairs, failure } = found.machine;
  if (failure !== undefined) return isCall ? { call: unreadable, end: Math.max(end, open + 1) } : undefined;
  const isOpen = isInterrupted && found.machine.ending === 'open';
  const ending = isOpen || found.hasAmbiguousEnd === true ? 'cut' : found.machine.ending;
  const call: WrittenCall = { name, arguments: root, positional, ending, hasClosingTag, risk, repairs };
  return { call, end, isInterrupted };
}

// Between the items of a list, `+`, `and`, comments and the backslash of an escaped closer may occur.
const separators = /[\s,;|]{1,400}/y;
const listSeparators = /[\s,;+|]{1,400}|(?:#|\/\/)[^\n]{0,200}\n|and\s|\\(?=\])/y;
