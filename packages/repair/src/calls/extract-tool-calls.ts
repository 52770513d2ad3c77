import { allEnvelopes } from './envelopes/index.ts';
import { indexEnvelopes, type EnvelopeIndex } from './envelope-index.ts';
import type { Source } from './envelope.ts';
import type { ExtractOptions, ExtractedCall, Extraction, RejectedCall } from './extraction.ts';
import { findUntagged } from './find-untagged.ts';
import { isDocumentation } from './is-documentation.ts';
import { isCallLike, type PlacedCalls } from './read-body.ts';
import { scanText, type ScannedText } from './scan-text.ts';
import { settleCall } from './settle-call.ts';
import { removeSpans, type TextSpan } from './text-span.ts';

/**
 * Finds the tool calls that a model wrote into its text, in whatever envelope, and gives back the text without them.
 *
 * Only declared tools are called. A call whose arguments were cut goes to `rejected` with reason `incomplete`, never to
 * `calls`. Calls that are shown and not made (in documentation, quotes, finished reasoning, echoed results) stay text.
 * Linear in the text; bad text never throws.
 */
export function extractToolCalls(text: string, options: ExtractOptions): Extraction {
  const { tools, stopped, limits } = options;
  const index = indexEnvelopes(options.envelopes ?? allEnvelopes, tools);
  const source: Source = {
    text,
    tools,
    ...(stopped === undefined ? {} : { stopped }),
    ...(limits === undefined ? {} : { limits }),
    budget: text.length + 10_000,
    finds: new Map(),
    unending: new Set(),
  };
  const scanned = scanText(source, index, false);
  const placed = choosePlaced(source, scanned, index);
  if (placed.length > 0 || !isOnlyReasoning(text, scanned.reasoning)) return settle(source, placed);
  return settle(source, scanText(source, index, true).tagged);
}

function choosePlaced(source: Source, scanned: ScannedText, index: EnvelopeIndex): readonly PlacedCalls[] {
  const tagged = scanned.tagged.filter((one) => one.tier === 1 || !isDocumentation(source.text, one));
  return tagged.length > 0 ? tagged : findUntagged(source, scanned, index);
}

/** Models that forget to end their reasoning make calls in it; there is nothing else that could be the answer then. */
function isOnlyReasoning(text: string, reasoning: readonly TextSpan[]): boolean {
  return reasoning.length > 0 && removeSpans(text, reasoning).trim() === '';
}

function settle(source: Source, placed: readonly PlacedCalls[]): Extraction {
  const calls: ExtractedCall[] = [];
  const rejected: RejectedCall[] = [];
  for (const { calls: written, ...place } of placed) {
    for (const one of written) {
      if (place.tier === 3 && !isCallLike(one)) continue;
      const settled = settleCall(source, one, place);
      if (settled.ok) calls.push(settled.call);
      else rejected.push(settled.rejected);
    }
  }
  return { calls, text: removeSpans(source.text, calls), rejected };
}
