import type { Envelope } from '../../contract/envelope.ts';
import { growingEnvelope } from '../../source/growing-envelope.ts';
import { readCallLiterals } from '../../arguments/code/read-call-literals.ts';

/** `functions.ping({})` or `ping()` on lines of their own. */
export const callText: Envelope = growingEnvelope(
  { name: 'call-text', tier: 3, openers: [] },
  (source, _start, body, _watch, { closers }) =>
    readCallLiterals(source, body, { layout: {}, closers, isCertain: false }),
);
