import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

/** Calls as JSON after the special tokens of smaller families. */
export const tokenWrappedJson: Envelope = jsonEnvelope({
  name: 'token-wrapped-json',
  tier: 1,
  openers: [
    '<|message_model|><|content_invoke_tool_json|>',
    '<|content_invoke_tool_json|>',
    '<|tool_calls|>',
    '[unused11]',
  ],
  closers: ['<|end_message|>', '<|/tool_calls|>', '[unused12]'],
});
