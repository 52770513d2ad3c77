import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

/** `<|function_call|>{"name": …}`, or the same after `function call<|role_sep|>`. */
export const gigachat3: Envelope = jsonEnvelope({
  name: 'gigachat3',
  tier: 1,
  openers: ['<|message_sep|>\n\nfunction call<|role_sep|>', '<|function_call|>'],
  closers: ['</s>'],
});
