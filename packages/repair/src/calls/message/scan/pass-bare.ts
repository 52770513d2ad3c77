import { noWatch } from '../../source/call-watch.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';
import { type EnvelopeCalls, itemMark, readListItem } from '../found-calls/read-found-calls.ts';
import { tokenPatterns } from '../queue/message-residue.ts';
import type { LiveCall } from '../queue/message-sink.ts';
import { beginsBare } from './begins-bare.ts';
import { commentPattern, lineBefore, subjectAfter } from './is-documentation.ts';
import { addInterrupted } from './pass-fence.ts';
import type { Scan } from './scan.ts';
import type { ScanState } from './scan-state.ts';

/** Reads the bare calls at the scan's offset. Returns false, without moving the scan, if none begins there. */
export function* passBare(scan: Scan): Reading<boolean> {
  const { source, state, queue } = scan;
  const { isHead } = state;
  if (scan.areBareCallsOver() || source.index.bare.length === 0 || !(yield* mayBeBare(source, state))) return false;
  state.attempts += 1;
  const series: EnvelopeCalls[] = [];
  let hasAdded = false;
  for (let { at } = state; ;) {
    const live: LiveCall[] = [];
    const isLikely = isHead && series.length === 0;
    const watch = isLikely ? scan.watch(live) : noWatch;
    const item = yield* readListItem(source, at, isLikely, watch);
    if (item === undefined) break;
    // A word without arguments is any key, unless it is all that the model writes.
    const written = source.text.slice(item.start, item.end);
    const isData =
      wordKeys.test(written) && (!isLikely || written.includes(',') || !(yield* endsLine(source, item.end)));
    if (item.calls.length === 0 || isData || item.isInterrupted === true) {
      if (series.length > 0) break;
      // Data is skipped as a whole, so that no text in it counts as a call.
      if (item.calls.length > 0 && !isData && isHead) scan.addCalls(item.end, [item], live);
      else addInterrupted(scan, item.end, [item]);
      scan.goTo(item.end);
      return true;
    }
    const isJson = item.isCode !== true && item.envelope !== 'call-text' && item.envelope !== 'pythonic';
    if (isLikely && isJson && (yield* source.matchAt(subjectAfter, item.end)) !== null) {
      state.at = at;
      scan.addCalls(item.end, [item], live, 'quotation');
      return true;
    }
    if (isLikely && (isJson || (yield* survivesRunOn(source, item)))) {
      state.at = at;
      scan.addCalls(item.end, [item], live);
      hasAdded = true;
    } else series.push(item);
    at = yield* skipConjunction(source, item.end);
  }
  const [first] = series;
  if (first === undefined) return hasAdded;
  state.at = first.start;
  const end = series.at(-1)?.end ?? first.end;
  let hasOwnLines = beginsLine(source, first.start) && (yield* endsLine(source, end));
  for (const one of series) hasOwnLines &&= yield* isPlain(source, one);
  queue.addCandidate(
    { kind: 'bare', isHead: false, isPrinted: false, hasOwnLines },
    series.map((one) => ({ ...one, found: [one] })),
  );
  scan.goTo(end);
  return true;
}

const wordKeys = /^\{(?:[\s,]{0,9}["'][a-z]{1,40}["']\s?:\s?\{\s?\}){1,9}\s?\}$/;

const conjunctionPattern = /(?:\s{0,9},)?\s{0,9}(?:and|&|,|;)\s{0,9}(?=[{[(]|[A-Za-z_][\w.-]{0,127}\()/y;

function* skipConjunction(source: GrowingText, from: number): Reading<number> {
  const at = yield* source.skipMatch(conjunctionPattern, from);
  return at === from ? yield* source.skipSpace(from) : at;
}

/** Returns whether a bare call may begin here: anything at the start of a message, later only clear cases. */
function* mayBeBare(source: GrowingText, { at, isHead, isFresh, isLineStart }: ScanState): Reading<boolean> {
  if (isHead) return true;
  const before = lineBefore(source, at);
  if (indentPattern.test(before) || commentPattern.test(before)) return false;
  if (source.text[at] === '`') return true;
  const item = yield* source.skipMatch(itemMark, at);
  const isBold = item > at && (yield* source.needleAt(['**'], item)) !== undefined;
  const start = isBold ? item + 2 : item;
  const first = source.text[start];
  return (isFresh || first === '{' || first === '[') && (yield* beginsBare(source, start, isLineStart));
}

// Code that is indented.
const indentPattern = /^(?: {4}| {0,3}\t)[ \t]*$/;

const codeCallPattern = /(?:return {1,4})?[`*]{0,3}["'`[]{0,3}[A-Za-z_][\w.\\-]{0,127}["'`]?\(/y;

/** At the start of a message, code is a call only if it has its own lines and is not a statement. */
function* survivesRunOn(source: GrowingText, item: EnvelopeCalls): Reading<boolean> {
  if (!(yield* isPlain(source, item))) return false;
  return (
    (yield* endsLine(source, item.end)) ||
    (source.text[item.end - 1] === ']' && (yield* source.matchAt(lostToken, item.end)) !== null)
  );
}

// Prose right after a list, where the runtime has removed a special token.
const lostToken = /[A-Z][a-z]/y;

/** Returns whether calls are not part of a program that uses their results. */
function* isPlain(source: GrowingText, { envelope, start }: EnvelopeCalls): Reading<boolean> {
  if (envelope !== 'call-text') return true;
  return (yield* source.matchAt(codeCallPattern, yield* source.skipMatch(itemMark, start))) !== null;
}

/** Returns whether only a list marker, the label of an answer or the intention to call precedes an offset on its line. */
export function beginsLine(source: GrowingText, at: number): boolean {
  return lineStartPattern.test(lineBefore(source, at));
}

const lineStartPattern =
  /^[ \t]*(?:(?:i(?:'ll| will| am going to|'m going to| need to)|let me) (?:call|use|run|invoke|execute|make)(?: (?:the|this|following|tool|function|call|with)){0,4}:? |(?:here is |here's )?(?:the |this )?(?:correct |appropriate |right |required |following |needed )?(?:tool |function )?call (?:is|would be|to make is|to use is):? |(?:[-*+\u2022]|\d{1,3}[.)])[ \t]*|[*#]{0,3} ?(?:(?:final )?(?:answer|output|response|result)|(?:tool |function )?calls?(?: \d{1,2})?)[*]{0,2}:[*]{0,2}[ \t]*)?\\?$/i;

const lineRest = /(?:[.;]|<[|/]?\w{2,20}\|?>)?[ \t\r]{0,400}(?:(?:#|\/\/)(?! {0,4}(?:[-=]>|→))[^\n]{0,200})?/y;

// `(?![^])` is the end of the text. `beginsMatch` can't read `$`, and would wait for 4,096 characters.
const stopPattern = new RegExp(
  `\\s{0,4}(?:(?:assistant|user|model|system|tool|ipython)\\s{0,4}(?:\\n|:\\s|(?![^]))|${tokenPatterns})`,
  'y',
);

// The next line continues the sentence, or uses the result: `⏎.then(…)`.
const continuation = /\n(?:[a-z]|[ \t]{0,16}\??\.[A-Za-z_]\w{0,40}\()/y;

/** Returns whether only a full stop, a comment or the end of the message follows, and the next line does not continue it. */
function* endsLine(source: GrowingText, end: number): Reading<boolean> {
  if ((yield* source.matchAt(stopPattern, end)) !== null) return true;
  const at = yield* source.skipMatch(lineRest, end);
  if (at < source.text.length && source.text[at] !== '\n') return false;
  return (yield* source.matchAt(continuation, at)) === null;
}
