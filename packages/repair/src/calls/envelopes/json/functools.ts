import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

/** `functools[{"name": …}]` */
export const functools: Envelope = jsonEnvelope({
  name: 'functools',
  tier: 2,
  openers: ['functools'],
  closers: [],
});
