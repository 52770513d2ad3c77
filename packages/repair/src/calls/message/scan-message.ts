import { isDigit } from '../../json/text/characters.ts';
import { beginsBare, isIndented } from './bare-calls.ts';
import { noWatch, type CallWatch } from '../source/call-watch.ts';
import type { Doubt } from './scan/doubts.ts';
import { envelopesAt, mayOpenAt, type EnvelopeIndex } from '../source/envelope-index.ts';
import { firstOf, matchAt, needleAt, passSpace, type GrowingText, type Reading } from '../source/growing-text.ts';
import { introductionOf, isDocumentation } from './is-documentation.ts';
import { openQuotation, quotationEnd } from './quotation-marks.ts';
import { noiseBefore } from './scan/message-bounds.ts';
import type { MessageQueue } from './queue/message-queue.ts';
import type { LiveCall } from './queue/message-sink.ts';
import { readRepeatedlyTagged, type PlacedCalls } from './scan/read-body.ts';
import { readFence, type Fence } from './scan/read-fence.ts';
import { quotedCall } from './scan/read-quoted-message.ts';
import { behindItemMark, readItem } from './scan/read-series.ts';
import { lostReasoningClosers, readQuotation, readReasoning } from './scan/talk.ts';
import { mayBeginWritten, mayOpenMessage } from './scan/begins-written.ts';
import { beginsOtherTurn } from './scan/other-turn.ts';
import { beginsLine, endsLine, isPlain, survivesRunOn } from './scan/own-lines.ts';

/** What is known at one place of a message. */
export interface ScanState {
  /** How far the message has been read. */
  at: number;
  isLineStart: boolean;
  /** Whether a sentence may begin here. */
  isFresh: boolean;
  /** Whether nothing but finished reasoning and what templates leave behind has come yet. */
  isHead: boolean;
  /** How much of the latter has come. */
  noise: number;
  isColonDue: boolean;
  /** How many documents have been begun and not ended. */
  quotations: number;
  /** The latest quotation with calls in it: the marks of which one ends it, and how far it is known to go on. */
  quotation: { readonly closers: string; readonly until: number } | undefined;
  /** How often a call with nothing around it has been looked for. */
  attempts: number;
  /** Whether the model has gone on with the turn of another speaker after its calls. */
  isOtherTurn: boolean;
  /** Where the latest call ended, from the beginning of the message. */
  madeEnd: number;
  /** Whether all so far may turn out to be reasoning whose opening tag is missing. */
  mayBeReasoning: boolean;
}

/** What reading a message works with. */
export interface Scan {
  readonly source: GrowingText;
  readonly index: EnvelopeIndex;
  readonly queue: MessageQueue;
  state: ScanState;
  /** Says that calls stand from the state's place on. */
  readonly addMade: (end: number, placed: readonly PlacedCalls[], live?: readonly LiveCall[]) => void;
  /** Says that what looks like calls is quoted there. */
  readonly addQuoted: (end: number, placed: readonly PlacedCalls[], live: readonly LiveCall[]) => void;
  /** Says that a text of strangers begins or has ended at the state's place. */
  readonly quote: (isBegin: boolean) => void;
  /** Reports the calls in a text of strangers that was passed, and that began at an offset of the message. */
  readonly reportCalls: (text: string, start: number) => void;
  /** Whether the message is itself such a text. */
  readonly isUntrusted: boolean;
  /** Says that a code fence with calls stands there. */
  readonly addFence: (
    end: number,
    placed: readonly PlacedCalls[],
    how: { readonly hasOwnLines: boolean; readonly isPrinted: boolean },
  ) => void;
  /** Says that calls with nothing around them stand there, one after the other. */
  readonly addSeries: (series: readonly PlacedCalls[], followsMade: boolean, hasOwnLines: boolean) => void;
  /** Says that the message may be nothing but what stands between quotes from here on. */
  readonly addQuote: () => void;
  /** Says that something begins at the state's place that may be talk. Answers whether it is closed and was left. */
  readonly doubt: (
    doubt: Pick<Doubt<ScanState>, 'isReasoning' | 'closers' | 'barrier'> & { readonly inside: number },
  ) => boolean;
  readonly isInReasoning: () => boolean;
  readonly isInDoubt: () => boolean;
  /** Says that all so far was reasoning, up to an offset. */
  readonly leaveReasoning: (end: number) => void;
  /** Whether anybody wants to see calls while they are written. */
  readonly isWatched: boolean;
  /** Who watches the calls that begin at the state's place. Those that are shown go to `live`. */
  readonly watch: (live: LiveCall[]) => CallWatch;
  /** Forgets what was read, but for what may still be looked back at. */
  readonly forget: () => void;
}

/** Reads a message from left to right: what is talk is passed over, what may be calls is handed on. */
export function* scanMessage(scan: Scan): Reading<void> {
  const { source } = scan;
  for (;;) {
    passPlain(scan);
    scan.forget();
    if (scan.state.at < source.text.length) yield* readSpecial(scan);
    else if (source.ended) return;
    else yield undefined;
  }
}

/** Passes characters that can begin nothing. */
function passPlain({ source, index, state, queue }: Scan): void {
  const { text, ended } = source;
  const areBareOver = areOver(state, queue);
  for (; state.at < text.length; state.at += 1) {
    const { at } = state;
    const code = text.charCodeAt(at);
    if (code === 0x0a) {
      state.isLineStart = true;
      state.isFresh = true;
    } else if (code === 0x20 || code === 0x09 || code === 0x0d) {
      if (code === 0x20 && mayOpenAt(index, text, at, ended)) return;
      if (code !== 0x20) state.isFresh = false;
    } else {
      if (state.isHead || SPECIAL.has(code) || mayOpenAt(index, text, at, ended)) return;
      if (state.isLineStart && (MARKS.has(code) ? !areBareOver : state.madeEnd > 0 && SPEAKERS.has(code))) return;
      if (!areBareOver && state.isFresh && mayBeginWritten(text, at, ended, state.isLineStart)) return;
      pass(state, code);
    }
  }
}

// Backtick, tilde, angle and square brackets, brace, and the triangle of one family's reasoning tags.
const SPECIAL: ReadonlySet<number> = new Set([0x60, 0x7e, 0x3e, 0x3c, 0x5b, 0x7b, 0x25c1]);

// What the items of a list begin with: dash, star, plus, bullet, digits; and a parenthesis around a named call.
const MARKS: ReadonlySet<number> = new Set(Array.from('(-*+\u20220123456789', (mark) => mark.charCodeAt(0)));
// What the label of another speaker begins with, outside of brackets.
const SPEAKERS: ReadonlySet<number> = new Set(Array.from('uUhHtTsS#', (mark) => mark.charCodeAt(0)));

function pass(state: ScanState, code: number): void {
  state.isLineStart = false;
  state.isHead = false;
  const isEnd = code === 0x3a || code === 0x2e || code === 0x21 || code === 0x3f;
  state.isFresh = isEnd || (state.isFresh && MARKS.has(code) && !isDigit(code));
}

/** Goes on behind something. */
function goTo(state: ScanState, at: number): void {
  state.at = at;
  state.isLineStart = false;
  state.isFresh = false;
  state.isHead = false;
}

const MOST_ATTEMPTS = 32;

function areOver(state: ScanState, queue: MessageQueue): boolean {
  return state.isOtherTurn || state.attempts >= MOST_ATTEMPTS || queue.hasMade();
}

function* readSpecial(scan: Scan): Reading<void> {
  const { source, state } = scan;
  const { at } = state;
  const character = source.text[at] ?? '';
  if (state.isLineStart && state.madeEnd > 0 && !state.isOtherTurn && (yield* beginsOtherTurn(source, at)))
    state.isOtherTurn = true;
  if (state.isHead && `"'\`[`.includes(character) && (yield* matchAt(source, quotedCall, at)) !== null) scan.addQuote();
  if (yield* passKnown(scan, character)) return;
  if (character !== ' ') pass(state, source.text.charCodeAt(at));
  state.at = at + 1;
}

const CODE = /`{1,2}[A-Za-z_[]/y;

/** Passes whatever begins with a character; `false` when nothing does. */
function* passKnown(scan: Scan, character: string): Reading<boolean> {
  const { source, state } = scan;
  if (character === '`' && state.isHead && (yield* matchAt(source, CODE, state.at)) !== null && (yield* passBare(scan)))
    return true;
  if (character === '`' || (character === '~' && state.isLineStart)) {
    yield* passFence(scan);
    return true;
  }
  if (character === '>' && state.isLineStart && (yield* needleAt(source, ['>>>'], state.at)) === undefined) {
    yield* passUntil(scan, ['\n'], 1);
    return true;
  }
  if ('<[◁'.includes(character) && (yield* passTalk(scan))) return true;
  if (yield* passTagged(scan)) return true;
  if (character === ' ') return false;
  return (yield* passBare(scan)) || (state.isHead && (yield* passNoise(scan)));
}

/** Passes everything up to one of the needles, and that but for its last characters. */
function* passUntil(
  scan: Scan,
  needles: readonly string[],
  spared = 0,
  passed: (text: string) => void = () => {},
): Reading<string> {
  const { source } = scan;
  const longest = Math.max(...needles.map(({ length }) => length));
  for (;;) {
    const { at, needle } = firstOf(source, needles, scan.state.at);
    if (at !== -1) {
      passed(source.text.slice(scan.state.at, at));
      goTo(scan.state, at + needle.length - spared);
      return needle;
    }
    if (source.ended) {
      passed(source.text.slice(scan.state.at));
      goTo(scan.state, source.text.length);
      return '';
    }
    const next = Math.max(scan.state.at, source.text.length - longest + 1);
    passed(source.text.slice(scan.state.at, next));
    goTo(scan.state, next);
    scan.forget();
    yield undefined;
  }
}

function* passFence(scan: Scan): Reading<void> {
  const { source, index, state, queue } = scan;
  const { at, isHead, isLineStart } = state;
  const fence = yield* readFence(source, at, index, isHead);
  const { end } = fence;
  const placed = fence.placed.map((one) => ({ ...one, envelope: one.tier === 3 ? 'fenced' : one.envelope }));
  if (placed.some(({ isInterrupted }) => isInterrupted === true)) {
    addInterrupted(scan, end, placed);
    goTo(state, end);
  } else if (placed.length > 0) {
    const isMade =
      fence.isCallFence &&
      !(yield* isDocumentation(source, introductionOf(source, at, state.madeEnd - source.base), end));
    if (isMade) scan.addMade(end, placed);
    else if (!fence.isCallFence && !queue.hasMade() && fence.placed.some(callsSomething)) {
      scan.addFence(end, placed, { hasOwnLines: isLineStart && fence.kind === 'fence', isPrinted: fence.isPrinted });
    }
    goTo(state, end);
  } else if (fence.kind === 'fence') yield* passFenced(scan, fence);
  else passInline(scan, fence);
}

function callsSomething({ calls }: PlacedCalls): boolean {
  return calls.some(({ isDefinition }) => isDefinition !== true);
}

/** What another call cuts off is reported, whatever becomes of the rest of the message. */
function addInterrupted(scan: Scan, end: number, placed: readonly PlacedCalls[]): void {
  const cut = placed.map((one) => ({ ...one, calls: one.calls.filter(({ ending }) => ending !== 'closed') }));
  if (cut.some(({ calls }) => calls.length > 0)) scan.addMade(end, cut);
}

function* passFenced(scan: Scan, { mark, inside }: Fence): Reading<void> {
  goTo(scan.state, inside);
  const close = `\n${mark}`;
  // Reasoning whose opening tag is missing may end within a fence that was never closed.
  const lost = scan.state.mayBeReasoning ? lostReasoningClosers.map((closer) => `\n${closer}`) : [];
  const found = yield* passUntil(scan, [close, ...lost]);
  if (found !== '' && found !== close) yield* leaveReasoning(scan, scan.state.at);
}

/** `code` between runs of backticks, within one paragraph. */
function passInline(scan: Scan, { mark, inside }: Fence): void {
  const { state } = scan;
  if (!mark.startsWith('`')) {
    goTo(state, inside);
    return;
  }
  const closers = [mark.slice(0, 3)];
  if (!scan.doubt({ isReasoning: false, closers, barrier: '\n\n', inside })) goTo(state, inside);
}

function* passTalk(scan: Scan): Reading<boolean> {
  const { source, state } = scan;
  const { at } = state;
  const reasoning = scan.isInReasoning() ? undefined : yield* readReasoning(source, at);
  if (reasoning !== undefined) {
    const { closers, inside } = reasoning;
    if (!scan.doubt({ isReasoning: true, closers, barrier: undefined, inside })) goTo(state, inside);
    return true;
  }
  const closer = state.mayBeReasoning ? yield* needleAt(source, lostReasoningClosers, at) : undefined;
  if (closer !== undefined) {
    yield* leaveReasoning(scan, at + closer.length);
    return true;
  }
  const quotation = yield* readQuotation(source, at, state.isLineStart);
  if (quotation === undefined) return false;
  const { closer: end, inside, isCertain, isReported } = quotation;
  // Marks in a text between marks mean nothing more.
  if (isReported && scan.isUntrusted) return false;
  if (isCertain) {
    const start = source.base + inside;
    const texts: string[] = [];
    goTo(state, inside);
    if (isReported) scan.quote(true);
    yield* passUntil(scan, [end], 0, isReported ? (text) => void texts.push(text) : undefined);
    if (isReported) scan.quote(false);
    if (isReported) scan.reportCalls(texts.join(''), start);
    return true;
  }
  if (state.quotations >= MOST_QUOTATIONS) return false;
  if (scan.doubt({ isReasoning: false, closers: [end], barrier: undefined, inside })) return true;
  state.quotations += 1;
  goTo(state, inside);
  return true;
}

// How many documents may have been begun and not ended.
const MOST_QUOTATIONS = 8;

/** What ends reasoning may itself turn out to be only talked about. */
function* leaveReasoning(scan: Scan, end: number): Reading<void> {
  while (scan.isInDoubt()) yield () => !scan.isInDoubt();
  scan.leaveReasoning(end);
}

function* passTagged(scan: Scan): Reading<boolean> {
  const { source, index, state } = scan;
  const { at } = state;
  if (!mayOpenAt(index, source.text, at, source.ended)) return false;
  const live: LiveCall[] = [];
  const opened = yield* envelopesAt(index, source, at);
  if (opened.length === 0) return false;
  const { quotation } = state;
  const isInSame = quotation !== undefined && source.base + at < quotation.until;
  const closers = isInSame ? quotation.closers : openQuotation(source, at);
  const introduction = introductionOf(source, at, state.madeEnd - source.base);
  const placed = yield* readRepeatedlyTagged(source, at, index, opened, (tier) =>
    !scan.isWatched || closers !== undefined || (tier === 2 && introduction !== undefined) ? noWatch : scan.watch(live),
  );
  if (placed === undefined) return false;
  const { end, tier } = placed;
  const isMade = placed.calls.length > 0;
  const until = isMade && closers !== undefined ? yield* quotationEnd(source, end, closers) : undefined;
  if (closers !== undefined && until !== undefined) {
    scan.addQuoted(end, [placed], live);
    state.quotation = { closers, until: source.base + until };
  } else if (isMade && (tier === 1 || !(yield* isDocumentation(source, introduction, end)))) {
    scan.addMade(end, [placed], live);
  }
  goTo(state, Math.max(at + 1, end));
  return true;
}

function* passBare(scan: Scan): Reading<boolean> {
  const { source, index, state, queue } = scan;
  const { isHead } = state;
  if (areOver(state, queue) || index.untagged.length === 0 || !(yield* mayBeBare(source, state))) return false;
  state.attempts += 1;
  if (isHead && !mayOpenMessage(source.text, state.at)) return false;
  const series: PlacedCalls[] = [];
  let isMade = false;
  for (let { at } = state; ;) {
    const live: LiveCall[] = [];
    const isCertain = isHead && series.length === 0;
    const watch = isCertain ? scan.watch(live) : noWatch;
    const item = yield* readItem(source, at, index, { closers: [], isCertain }, watch);
    if (item === undefined) break;
    if (item.calls.length === 0 || item.isInterrupted === true) {
      if (isMade || series.length > 0) break;
      // Data is passed as a whole, so that nothing in its texts is taken for a call.
      if (item.calls.length > 0 && isHead) scan.addMade(item.end, [item], live);
      else addInterrupted(scan, item.end, [item]);
      goTo(state, item.end);
      return true;
    }
    if (isCertain && (yield* survivesRunOn(source, item))) {
      state.at = at;
      scan.addMade(item.end, [item], live);
      goTo(state, item.end);
      isMade = true;
    } else series.push(item);
    at = yield* passSpace(source, item.end);
  }
  const [first] = series;
  if (first === undefined) return isMade;
  state.at = first.start;
  const end = series.at(-1)?.end ?? first.end;
  let hasOwnLines = beginsLine(source.text, first.start) && (yield* endsLine(source, end));
  for (const one of series) hasOwnLines &&= yield* isPlain(source, one);
  scan.addSeries(series, isMade, hasOwnLines);
  goTo(state, end);
  return true;
}

/** Whether a call with nothing around it may begin here: anything may open a message, further on it has to be plain. */
function* mayBeBare(source: GrowingText, { at, isHead, isFresh, isLineStart }: ScanState): Reading<boolean> {
  if (isHead) return true;
  if (isIndented(source.text, at)) return false;
  const item = isLineStart ? yield* behindItemMark(source, at) : at;
  const isBold = item > at && (yield* needleAt(source, ['**'], item)) !== undefined;
  const start = isBold ? item + 2 : item;
  const first = source.text[start];
  return (start > at || isFresh || first === '{' || first === '[') && (yield* beginsBare(source, start, isLineStart));
}

const MOST_NOISE = 16;

/** What a template leaves behind before a message. */
function* passNoise({ source, state }: Scan): Reading<boolean> {
  if (state.noise >= MOST_NOISE) return false;
  const noise = (yield* matchAt(source, noiseBefore, state.at))?.[0];
  if (noise === undefined || (noise === ':' && !state.isColonDue)) return false;
  state.noise += 1;
  state.isColonDue = noise.toLowerCase() === 'assistant';
  goTo(state, state.at + noise.length);
  state.isHead = true;
  return true;
}
