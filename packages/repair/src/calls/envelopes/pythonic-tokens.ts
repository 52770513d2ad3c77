import type { Envelope } from '../envelope.ts';
import { readCallLiterals } from '../read-call-literals.ts';

const CLOSER = '<|python_end|>';

/** `<|python_start|>[ping()]<|python_end|>` */
export const pythonicTokens: Envelope = {
  name: 'pythonic',
  tier: 1,
  openers: ['<|python_start|>'],
  read: (source, _start, body) => {
    const found = readCallLiterals(source, body, { isList: true });
    if (found === undefined || !source.text.startsWith(CLOSER, found.end)) return found;
    return { ...found, end: found.end + CLOSER.length };
  },
};
