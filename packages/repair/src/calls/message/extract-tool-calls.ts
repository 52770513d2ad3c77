import { nameOfType } from '../../name-of-type.ts';
import type { ExtractedCall, Extraction, ExtractOptions, RejectedCall } from '../contract/extraction.ts';
import { createMessageReader } from './read-message.ts';

/**
 * Finds the tool calls that a model wrote into its text, in whatever envelope, and gives back the text without them.
 *
 * Only declared tools are called. A call whose arguments were cut goes to `rejected` with reason `incomplete`, never to
 * `calls`. Calls that are shown and not made (in documentation, quotes, finished reasoning, echoed results) stay text.
 * Linear in the text; bad text never throws. Options that name no tools, or something other than text, throw a `TypeError`.
 */
export function extractToolCalls(text: string, options: ExtractOptions): Extraction {
  if (typeof text !== 'string') throw new TypeError(`extractToolCalls expects text, not ${nameOfType(text)}`);
  const calls: ExtractedCall[] = [];
  const rejected: RejectedCall[] = [];
  const rest: string[] = [];
  const sink = {
    text: (more: string) => void rest.push(more),
    call: (call: ExtractedCall) => void calls.push(call),
    rejected: (one: RejectedCall, more: string) => {
      rejected.push(one);
      rest.push(more);
    },
  };
  createMessageReader(options, sink, text).end();
  return { calls, text: rest.join(''), rejected };
}
