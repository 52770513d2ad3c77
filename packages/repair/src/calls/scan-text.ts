import { orphanReasoningEnd, reasoningEnd } from '../json/reasoning.ts';
import type { EnvelopeIndex } from './envelope-index.ts';
import type { Source } from './envelope.ts';
import { findNext } from './find-next.ts';
import { readTagged, type PlacedCalls } from './read-body.ts';
import { readFence, type Fence } from './read-fence.ts';
import { lineEndOf, type TextSpan } from './text-span.ts';

/** A text taken apart, once, from left to right. */
export interface ScannedText {
  /** Calls in envelopes of their own, in order. */
  readonly tagged: readonly PlacedCalls[];
  readonly fences: readonly Fence[];
  /** Reasoning that was finished. */
  readonly reasoning: readonly TextSpan[];
  /** What is quoted and cannot be a call: inline code, block quotes, echoed results. */
  readonly quoted: readonly TextSpan[];
}

const ECHOES: readonly (readonly [string, string])[] = [
  ['<tool_response>', '</tool_response>'],
  ['<tool_result>', '</tool_result>'],
  ['<tool_output>', '</tool_output>'],
  ['<function_results>', '</function_results>'],
  ['<|tool_response>', '<tool_response|>'],
];

/** Finds what in a text may be calls and what is only talk about them. */
export function scanText(source: Source, index: EnvelopeIndex, doesReadReasoning: boolean): ScannedText {
  const { text } = source;
  const scanned = {
    tagged: [] as PlacedCalls[],
    fences: [] as Fence[],
    reasoning: [] as TextSpan[],
    quoted: [] as TextSpan[],
  };
  let at = doesReadReasoning ? 0 : orphanReasoningEnd(text);
  if (at > 0) scanned.reasoning.push({ start: 0, end: at });
  let isLineStart = true;
  while (at < text.length) {
    const character = text[at];
    if (character === '\n') {
      isLineStart = true;
      at += 1;
      continue;
    }
    const end = passOver(source, at, isLineStart, index, scanned, doesReadReasoning);
    if (end > at) {
      at = end;
      isLineStart = false;
      continue;
    }
    const tagged = readTagged(source, at, index);
    if (tagged !== undefined) {
      if (tagged.calls.length > 0) scanned.tagged.push(tagged);
      at = Math.max(at + 1, tagged.end);
      isLineStart = false;
      continue;
    }
    if (character !== ' ' && character !== '\t') isLineStart = false;
    at += 1;
  }
  return scanned;
}

interface Collected {
  readonly fences: Fence[];
  readonly reasoning: TextSpan[];
  readonly quoted: TextSpan[];
}

/** Where reading goes on after something that begins at an offset and is no call; the offset itself when nothing does. */
function passOver(
  source: Source,
  at: number,
  isLineStart: boolean,
  index: EnvelopeIndex,
  collected: Collected,
  doesReadReasoning: boolean,
): number {
  const { text } = source;
  const character = text[at];
  if (character === '`' || (character === '~' && isLineStart)) {
    const fence = readFence(source, at, index);
    if (fence !== undefined) {
      collected.fences.push(fence);
      return fence.end;
    }
    if (character === '`') return passInlineCode(source, at, collected.quoted);
  }
  if (character === '>' && isLineStart && !text.startsWith('>>>', at)) {
    const end = lineEndOf(text, at);
    collected.quoted.push({ start: at, end });
    return end;
  }
  if (character !== '<' && character !== '[') return at;
  const reasoned = doesReadReasoning ? -1 : reasoningEnd(text, at, source.unending);
  if (reasoned !== -1) {
    collected.reasoning.push({ start: at, end: reasoned });
    return reasoned;
  }
  const echo = ECHOES.find(([opener]) => text.startsWith(opener, at));
  if (echo === undefined) return at;
  const close = findNext(source, echo[1], at);
  const end = close === -1 ? text.length : close + echo[1].length;
  collected.quoted.push({ start: at, end });
  return end;
}

/** `code` between runs of backticks, within one paragraph. */
function passInlineCode(source: Source, start: number, quoted: TextSpan[]): number {
  const { text } = source;
  let at = start;
  while (text[at] === '`') at += 1;
  const run = text.slice(start, at);
  const close = findNext(source, run, at);
  const paragraphEnd = findNext(source, '\n\n', at);
  if (close === -1 || (paragraphEnd !== -1 && paragraphEnd < close)) return at;
  const end = close + run.length;
  quoted.push({ start, end });
  return end;
}
