import type { Envelope } from '../envelope.ts';
import { readCallLiterals } from '../read-call-literals.ts';

/** `[weather_at(city="Ulm", days=2), ping()]` with nothing around it. */
export const pythonic: Envelope = {
  name: 'pythonic',
  tier: 3,
  openers: [],
  read: (source, _start, body) =>
    source.text[body] === '[' ? readCallLiterals(source, body, { isList: true }) : undefined,
};
