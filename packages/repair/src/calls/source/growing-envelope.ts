import type { Envelope, Found } from '../contract/envelope.ts';
import { type CallWatch, noWatch } from './call-watch.ts';
import { endedText, type GrowingText, type Reading, readToEnd, waitForEnd } from './growing-text.ts';

/** Where a call with nothing around it stands. */
export interface Surroundings {
  /** What ends the code fence that it stands in; none outside of fences. */
  readonly closers: readonly string[];
  /** Whether what has begun as a call is one whatever follows, so that it is reported if it cannot be read. */
  readonly isCertain: boolean;
}

/** Reads an envelope in a text that may still grow. */
type EnvelopeReader = (
  source: GrowingText,
  start: number,
  body: number,
  watch: CallWatch,
  around: Surroundings,
) => Reading<Found | undefined>;

const nowhere: Surroundings = { closers: [], isCertain: false };

// By what reads the whole text, so that an envelope may be copied and renamed.
const readers = new WeakMap<Envelope['read'], EnvelopeReader>();

/** Makes an envelope that can be read while its text arrives. */
export function growingEnvelope(parts: Omit<Envelope, 'read'>, reader: EnvelopeReader): Envelope {
  const read: Envelope['read'] = (source, start, body) =>
    readToEnd(reader(endedText(source), start, body, noWatch, nowhere));
  readers.set(read, reader);
  return { ...parts, read };
}

/** Reads an envelope. One that can read only a whole text waits for its end. */
export function* readEnvelope(
  { read }: Envelope,
  source: GrowingText,
  start: number,
  body: number,
  watch: CallWatch,
  around: Surroundings = nowhere,
): Reading<Found | undefined> {
  const reader = readers.get(read);
  if (reader !== undefined) return yield* reader(source, start, body, watch, around);
  yield* waitForEnd(source);
  return read(source, start, body);
}
