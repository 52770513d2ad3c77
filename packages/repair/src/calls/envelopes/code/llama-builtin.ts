import type { Envelope } from '../../contract/envelope.ts';
import { callEnvelope } from '../makers/call-envelope.ts';

/** `<|python_tag|>weather_at.call(city="Faro")` */
export const llamaBuiltin: Envelope = callEnvelope({
  name: 'llama-builtin',
  tier: 1,
  openers: ['<|python_tag|>'],
  closers: ['<|eom_id|>', '<|eot_id|>'],
  layout: { isList: true },
});
