import { checkArgument, findTextFault } from '../../options/check-argument.ts';
import type { ExtractedCall, Extraction, ExtractOptions, RejectedCall } from '../contract/extraction.ts';
import { createMessageReader } from './read-message.ts';

/**
 * Finds the tool calls in the text of a model, in any envelope, and returns the text without them.
 *
 * Only declared tools are called. A call whose arguments were cut goes to `rejected` with reason `incomplete`, never to
 * `calls`. Calls that are shown and not made (in documentation, quotes, finished reasoning, echoed results) stay text.
 * Takes linear time. Never throws for invalid text. Throws a `TypeError` with the code
 * `INVALID_OPTION` for wrong options, and for a value that is not text.
 *
 * @example
 * import { extractToolCalls } from '@haft/repair';
 * const text = 'Let me look. <tool_call>{name: "forecast", arguments: {city: "Bern"}}</tool_call>';
 * const { calls } = extractToolCalls(text, { tools: [{ name: 'forecast' }], stopped: 'stop' });
 * calls.map(({ name }) => name); // => ['forecast']
 */
export function extractToolCalls(text: string, options: ExtractOptions): Extraction {
  checkArgument(text, 'extractToolCalls: text', findTextFault);
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
