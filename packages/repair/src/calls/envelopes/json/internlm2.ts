import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

/** `<|action_start|><|plugin|>{"name": …, "parameters": …}<|action_end|>` */
export const internlm2: Envelope = jsonEnvelope({
  name: 'internlm2',
  tier: 1,
  openers: ['<|action_start|><|plugin|>', '<|action_start|> <|plugin|>', '<|action_start|>\n<|plugin|>'],
  closers: ['<|action_end|>'],
});
