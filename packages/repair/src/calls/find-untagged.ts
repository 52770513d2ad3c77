import { findContainer } from '../json/find-root.ts';
import type { EnvelopeIndex } from './envelope-index.ts';
import type { Source } from './envelope.ts';
import { readUntagged, type PlacedCalls } from './read-body.ts';
import { readSeries } from './read-series.ts';
import { endOfName } from './read-call-literals.ts';
import { isCallFence, type Fence } from './read-fence.ts';
import type { ScannedText } from './scan-text.ts';
import { messageEnd, messageStart } from './message-bounds.ts';
import { readQuotedMessage } from './read-quoted-message.ts';
import { lineEndOf, lineStartOf, type TextSpan } from './text-span.ts';

const MOST_ATTEMPTS = 32;

/**
 * Calls without an envelope: in a code fence or bare. They count where they open the message or end it; what stands
 * between prose and prose shows a call and makes none, and several fences are alternatives.
 */
export function findUntagged(source: Source, scanned: ScannedText, index: EnvelopeIndex): readonly PlacedCalls[] {
  const head = messageStart(source.text, scanned.reasoning);
  const tail = messageEnd(source.text);
  const fenced = findFenced(scanned.fences, head, tail);
  if (fenced.length > 0) return fenced;
  const quoted = readQuotedMessage(source, head, tail, index);
  if (quoted.length > 0) return quoted;
  const masked = [...scanned.fences, ...scanned.quoted, ...scanned.reasoning];
  return findBare(source, masked, head, tail, index);
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
    const series = isIndented(text, at) && !isHead ? [] : readSeries(source, at, index);
    const last = series.at(-1);
    if (last !== undefined && (last.end >= tail || (isHead && survivesRunOn(text, last)))) return series;
    const end = last?.end ?? readUntagged(source, at, index)?.end ?? 0;
    at = nextCandidate(source, Math.max(at + 1, end), tail, masked);
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
    const call = nextWrittenCall(text, at, container === -1 ? tail : container);
    const next = call === -1 ? container : call;
    if (next === -1) return tail;
    const mask = masked.find((span) => span.start <= next && next < span.end);
    if (mask === undefined) return next;
    at = mask.end;
  }
  return tail;
}

/**
 * Where, before `to`, a call written like code begins: in brackets anywhere, otherwise only at the beginning of a line or
 * of a sentence; -1 when none does.
 */
function nextWrittenCall(text: string, from: number, to: number): number {
  let isFresh = from === lineStartOf(text, from);
  for (let at = from; at < to; at += 1) {
    const character = text[at] ?? '';
    const name = character === '[' ? at + 1 : at;
    const end = character === '[' || isFresh ? endOfName(text, name) : name;
    if (end > name && text[end] === '(') return at;
    if (end > name) at = end - 1;
    isFresh = '\n:.!?'.includes(character) || (isFresh && ' -*+\u2022'.includes(character));
  }
  return -1;
}

/** Whether an offset stands in indented code. */
function isIndented(text: string, at: number): boolean {
  const before = text.slice(lineStartOf(text, at), at);
  return before.trim() === '' && (before.length >= 4 || before.includes('\t'));
}
