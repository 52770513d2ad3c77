import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

/** `<|tool_call|>[{"name": …}]`, to the end of the text. */
export const granite3: Envelope = jsonEnvelope({
  name: 'granite3',
  tier: 1,
  openers: ['<|tool_call|>'],
  closers: ['</s>', '<|end_of_text|>'],
});
