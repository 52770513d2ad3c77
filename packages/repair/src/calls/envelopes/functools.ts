import type { Envelope } from '../envelope.ts';
import { jsonEnvelope } from './json-envelope.ts';

/** `functools[{"name": …}]` */
export const functools: Envelope = jsonEnvelope({
  name: 'functools',
  tier: 2,
  openers: ['functools'],
  closers: [],
});
