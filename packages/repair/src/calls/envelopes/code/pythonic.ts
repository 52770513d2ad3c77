import type { Envelope, Found } from '../../contract/envelope.ts';
import { growingEnvelope } from '../../source/growing-envelope.ts';
import { needleAt, type Reading } from '../../source/growing-text.ts';
import { readCallLiterals } from '../../arguments/code/read-call-literals.ts';

/** `[weather_at(city="Ulm", days=2), ping()]` with nothing around it. */
export const pythonic: Envelope = growingEnvelope(
  { name: 'pythonic', tier: 3, openers: [] },
  function* (source, _start, body, _watch, { closers }): Reading<Found | undefined> {
    if ((yield* needleAt(source, ['[', 'return '], body)) === undefined) return undefined;
    return yield* readCallLiterals(source, body, { layout: { isList: true }, closers, isCertain: false });
  },
);
