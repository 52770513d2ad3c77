import { findContainer } from '../json/find-root.ts';
import type { EnvelopeIndex } from './envelope-index.ts';
import type { Source } from './envelope.ts';
import { readUntagged, type PlacedCalls } from './read-body.ts';
import { endOfName } from './read-call-literals.ts';
import { isCallFence, type Fence } from './read-fence.ts';
import type { ScannedText } from './scan-text.ts';
import { lineEndOf, lineStartOf, skipSpace, type TextSpan } from './text-span.ts';

const END_TOKENS =
  /(?:<\/s>|<\|(?:eot_id|eom_id|im_end|end|endoftext|end_of_text)\|>|<end_of_turn>|\s|Observation:|;)+$/;
const MOST_ATTEMPTS = 32;

/**
 * Calls without an envelope: in a code fence or bare. They count where they open the message or end it; what stands
 * between prose and prose shows a call and makes none, and several fences are alternatives.
 */
export function findUntagged(source: Source, scanned: ScannedText, index: EnvelopeIndex): readonly PlacedCalls[] {
  const head = headOf(source.text, scanned.reasoning);
  const tail = tailOf(source.text);
  const fenced = findFenced(scanned.fences, head, tail);
  if (fenced.length > 0) return fenced;
  const masked = [...scanned.fences, ...scanned.quoted, ...scanned.reasoning];
  return findBare(source, masked, head, tail, index);
}

/** Where the message begins, after reasoning. */
function headOf(text: string, reasoning: readonly TextSpan[]): number {
  let at = skipSpace(text, 0);
  for (const span of reasoning) if (span.start <= at && span.end > at) at = skipSpace(text, span.end);
  return at;
}

/** Where the message ends, before end-of-turn tokens. */
function tailOf(text: string): number {
  const tokens = END_TOKENS.exec(text.slice(-400));
  return text.length - (tokens?.[0].length ?? 0);
}

function findFenced(fences: readonly Fence[], head: number, tail: number): readonly PlacedCalls[] {
  const filled = fences.filter((fence) => fence.placed.length > 0);
  const declared = filled.filter(isCallFence);
  if (declared.length > 0) return declared.flatMap(callsOfFence);
  const [only] = filled;
  if (only === undefined || filled.length > 1) return [];
  return only.start === head || only.end >= tail ? callsOfFence(only) : [];
}

/** The calls of a fence; they take the whole fence out of the text. */
function callsOfFence({ start, end, placed }: Fence): readonly PlacedCalls[] {
  return placed.map((one) => ({ ...one, envelope: one.tier === 3 ? 'fenced' : one.envelope, start, end }));
}

function findBare(
  source: Source,
  masked: readonly TextSpan[],
  head: number,
  tail: number,
  index: EnvelopeIndex,
): readonly PlacedCalls[] {
  const { text } = source;
  let at = head;
  for (let attempts = 0; attempts < MOST_ATTEMPTS && at < tail; attempts += 1) {
    const isHead = at === head;
    const placed = isIndented(text, at) && !isHead ? undefined : readUntagged(source, at, index);
    const holdsCalls = placed !== undefined && placed.calls.length > 0;
    if (holdsCalls && (placed.end >= tail || (isHead && survivesRunOn(text, placed)))) return [placed];
    at = nextCandidate(source, Math.max(at + 1, placed?.end ?? 0), tail, masked);
  }
  return [];
}

/** JSON that opens a message is a call whatever follows; code only when it stands on lines of its own, in brackets. */
function survivesRunOn(text: string, placed: PlacedCalls): boolean {
  if (placed.envelope === 'call-text') return false;
  return placed.envelope !== 'pythonic' || text.slice(placed.end, lineEndOf(text, placed.end)).trim() === '';
}

/** Where the next object, list or written call begins outside of what is masked. */
function nextCandidate(source: Source, from: number, tail: number, masked: readonly TextSpan[]): number {
  const { text } = source;
  let at = from;
  while (at < tail) {
    const container = findContainer(text, at);
    const line = nextCallLine(text, at, container === -1 ? tail : container);
    const next = line === -1 ? container : line;
    if (next === -1) return tail;
    const mask = masked.find((span) => span.start <= next && next < span.end);
    if (mask === undefined) return next;
    at = mask.end;
  }
  return tail;
}

/** Where, before `to`, a line begins with a name and a parenthesis or with such a call in brackets; -1 when none does. */
function nextCallLine(text: string, from: number, to: number): number {
  for (
    let at = from === lineStartOf(text, from) ? from : lineEndOf(text, from) + 1;
    at < to;
    at = lineEndOf(text, at) + 1
  ) {
    const name = text[at] === '[' ? at + 1 : at;
    const end = endOfName(text, name);
    if (end > name && text[end] === '(') return at;
  }
  return -1;
}

/** Whether an offset stands in indented code. */
function isIndented(text: string, at: number): boolean {
  const before = text.slice(lineStartOf(text, at), at);
  return before.trim() === '' && (before.length >= 4 || before.includes('\t'));
}
