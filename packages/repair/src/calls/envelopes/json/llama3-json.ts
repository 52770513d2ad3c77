import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

/** `<|python_tag|>{"name": …, "parameters": …}; {…}` */
export const llama3Json: Envelope = jsonEnvelope({
  name: 'llama3-json',
  tier: 1,
  openers: ['<|python_tag|>'],
  closers: ['<|eom_id|>', '<|eot_id|>'],
});
