import type { EnvelopeIndex } from '../../source/envelope-index.ts';
import { behind, type GrowingText, matchAt, needleAt, type Reading } from '../../source/growing-text.ts';
import { behindComments, type PlacedCalls, readBody } from '../placed-calls/read-placed-calls.ts';
import { introductionOf, isDocumentation } from './is-documentation.ts';
import { leaveReasoning, lostReasoningClosers } from './pass-prose.ts';
import { goTo, passUntil, type Scan } from './scan-state.ts';

export function* passFence(scan: Scan): Reading<void> {
  const { source, index, state, queue } = scan;
  const { at, isHead, isLineStart } = state;
  const fence = yield* readFence(source, at, index, isHead);
  const { end } = fence;
  const isCallFence = fence.isCallFence || actionLabel.test(source.text.slice(Math.max(0, at - 20), at));
  const placed = fence.placed.map((one) => ({ ...one, envelope: one.tier === 3 ? 'fenced' : one.envelope }));
  if (placed.some(({ isInterrupted }) => isInterrupted === true)) {
    addInterrupted(scan, end, placed);
    goTo(state, end);
  } else if (placed.length > 0) {
    const isMade =
      isCallFence && !(yield* isDocumentation(source, introductionOf(source, at, state.madeEnd - source.base), end));
    if (isMade) scan.queue.addMade(scan.state, end, placed);
    else if (
      !isCallFence &&
      !queue.hasMade() &&
      fence.placed.some(({ calls }) => calls.some(({ isDefinition }) => isDefinition !== true)) &&
      (fence.kind === 'fence' || (yield* matchAt(source, sentencePattern, end)) === null)
    ) {
      const hasOwnLines = isLineStart && fence.kind === 'fence';
      queue.addCandidate({ kind: 'fence', isHead, isPrinted: fence.isPrinted, hasOwnLines }, [
        { start: at, end, placed },
      ]);
    }
    goTo(state, end);
  } else if (fence.kind === 'fence') yield* passFenced(scan, fence);
  else passInline(scan, fence);
}

// A sentence goes on after code within a line.
const sentencePattern = / {1,4}[a-z]/y;

// The label of a list of calls in the format of Command-R.
const actionLabel = /(?:^|\n)Action:\s{0,9}$/;

/** A call that another call cuts off is reported, whatever follows in the message. */
export function addInterrupted(scan: Scan, end: number, placed: readonly PlacedCalls[]): void {
  const cut = placed.map((one) => ({ ...one, calls: one.calls.filter(({ ending }) => ending !== 'closed') }));
  if (cut.some(({ calls }) => calls.length > 0)) scan.queue.addMade(scan.state, end, cut);
}

function* passFenced(scan: Scan, { mark, inside }: Fence): Reading<void> {
  goTo(scan.state, inside);
  const close = `\n${mark}`;
  // Reasoning without an opening tag may end inside a fence without an end.
  const lost = scan.state.mayBeReasoning ? lostReasoningClosers.map((closer) => `\n${closer}`) : [];
  const found = yield* passUntil(scan, [close, ...lost]);
  if (found !== '' && found !== close) yield* leaveReasoning(scan, scan.state.at);
}

/** `code` between backticks, within one paragraph. */
function passInline(scan: Scan, { mark, inside }: Fence): void {
  const { state } = scan;
  if (!mark.startsWith('`')) {
    goTo(state, inside);
    return;
  }
  const closers = [mark.slice(0, 3)];
  if (!scan.openRegion({ isReasoning: false, closers, barrier: '\n\n', inside })) goTo(state, inside);
}

/** A run of backticks or tildes, and what it opens. */
interface Fence {
  /** All its characters. */
  readonly mark: string;
  /** The offset of its content. */
  readonly inside: number;
  /** `fence`: it is alone on its line. `inline`: it is not, and may close within a paragraph. */
  readonly kind: 'fence' | 'inline';
  /** The calls that make up its content. Empty if it contains anything else. */
  readonly placed: readonly PlacedCalls[];
  /** The end of the fence, including the closing run, if it contains only calls. */
  readonly end: number;
  /** Whether its language says that it contains a call. */
  readonly isCallFence: boolean;
  /** Whether it prints the results of the calls. */
  readonly isPrinted: boolean;
}

const callLanguages = /^(?:tool|tool_calls?|tool_code|tool_use|function|function_call)$/;

/** Reads the run of backticks or tildes at an offset and the calls in it, if it may be a code fence. */
function* readFence(source: GrowingText, start: number, index: EnvelopeIndex, isHead: boolean): Reading<Fence> {
  const inside = yield* behind(source, runPattern, start);
  const mark = source.text.slice(start, inside);
  const nothing = { mark, inside, placed: [], end: inside, isCallFence: false, isPrinted: false };
  if (mark.length < 3) return { ...nothing, kind: 'inline' };
  const wordEnd = yield* behind(source, languagePattern, inside);
  const language = source.text.slice(inside, wordEnd).trim().toLowerCase();
  const lineEnd = yield* behind(source, blanks, wordEnd);
  const kind = lineEnd >= source.text.length || source.text[lineEnd] === '\n' ? 'fence' : 'inline';
  const isCallFence = callLanguages.test(language);
  const isProgram = !isCallFence && isHead && (yield* matchAt(source, programPattern, wordEnd)) !== null;
  const placed = yield* readBody(source, wordEnd, index, isCallFence || isProgram, [mark]);
  const last = placed.at(-1);
  if (last === undefined) return { ...nothing, kind };
  const isPrinted = isProgram && printPattern.test(source.text.slice(wordEnd, last.end));
  if (last.isInterrupted === true) return { ...nothing, kind, placed, end: last.end, isCallFence, isPrinted };
  const end = yield* behindComments(source, yield* behind(source, strayClosers, last.end));
  const isClosed = (yield* needleAt(source, [mark], end)) !== undefined;
  // The message may end within the closing mark.
  if (!isClosed && !mark.startsWith(source.text.slice(end, end + mark.length))) return { ...nothing, kind };
  return { ...nothing, kind, placed, end: Math.min(end + mark.length, source.text.length), isCallFence, isPrinted };
}

const strayClosers = /(?:\s{0,9}[}\])]){0,4}/y;
// A program that begins with a call in a statement. It prints the results where it begins or where it ends.
const programPattern =
  /\s{0,9}(?:print\(|await [A-Za-z_][\w.]{0,127}\(|(?:const |let |var )?[A-Za-z_]\w{0,60}\s{0,4}=\s{0,4}(?!=)(?:await |\[\s{0,9})?[A-Za-z_][\w.]{0,127}\()/y;
const printPattern = /^\s*print\(|\n(?:print|console\.log)\([^\n]{0,200}\)[\s;]*$/;
const runPattern = /`{1,400}|~{1,400}/y;
const languagePattern = /[\w$.-]{1,64}|[ \t]{1,4}[\w-]{1,20}(?=[ \t]{0,9}\r?\n)/y;
const blanks = /[ \t\r]{1,400}/y;
