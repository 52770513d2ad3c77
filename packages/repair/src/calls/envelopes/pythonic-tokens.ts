import type { Envelope } from '../envelope.ts';
import { callEnvelope } from './call-envelope.ts';

/** `<|python_start|>[ping()]<|python_end|>` */
export const pythonicTokens: Envelope = callEnvelope({
  name: 'pythonic',
  tier: 1,
  openers: ['<|python_start|>'],
  closers: ['<|python_end|>'],
  layout: { isList: true },
});
