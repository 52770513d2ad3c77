import type { Envelope, Found } from '../envelope.ts';
import { growingEnvelope } from '../growing-envelope.ts';
import type { Reading } from '../growing-text.ts';
import { readCallLiterals } from '../read-call-literals.ts';

/** `[weather_at(city="Ulm", days=2), ping()]` with nothing around it. */
export const pythonic: Envelope = growingEnvelope(
  { name: 'pythonic', tier: 3, openers: [] },
  function* (source, _start, body, _watch, { closers }): Reading<Found | undefined> {
    if (source.text[body] !== '[') return undefined;
    return yield* readCallLiterals(source, body, { layout: { isList: true }, closers, isCertain: false });
  },
);
