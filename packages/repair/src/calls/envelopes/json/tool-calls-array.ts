import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

/** `<tool_calls>[{"name": …}, …]</tool_calls>`, also with one object a line. */
export const toolCallsArray: Envelope = jsonEnvelope({
  name: 'tool_calls-array',
  tier: 2,
  openers: ['<tool_calls>', '<assistant_tool_calls>'],
  closers: ['</tool_calls>', '</assistant_tool_calls>'],
});
