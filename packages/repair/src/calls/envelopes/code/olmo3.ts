import type { Envelope } from '../../contract/envelope.ts';
import { callEnvelope } from '../makers/call-envelope.ts';

/** `<function_calls>⏎weather_at(city="Ames")⏎ping()⏎</function_calls>` */
export const olmo3: Envelope = callEnvelope({
  name: 'olmo3',
  tier: 2,
  openers: ['<function_calls>'],
  closers: ['</function_calls>'],
  layout: { isList: true },
});
