import type { Envelope } from '../envelope.ts';
import { readCallLiterals } from '../read-call-literals.ts';

/** `functions.ping({})` or `ping()` on lines of their own. */
export const callText: Envelope = {
  name: 'call-text',
  tier: 3,
  openers: [],
  read: (source, _start, body) => readCallLiterals(source, body),
};
