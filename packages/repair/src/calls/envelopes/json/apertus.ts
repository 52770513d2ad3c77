import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

/** `<|tools_prefix|>[{"weather_at": {"city": "Bern"}}]<|tools_suffix|>`: the name is the key. */
export const apertus: Envelope = jsonEnvelope({
  name: 'apertus',
  tier: 1,
  openers: ['<|tools_prefix|>'],
  closers: ['<|tools_suffix|>'],
});
