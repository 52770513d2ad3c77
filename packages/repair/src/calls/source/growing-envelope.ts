import type { Envelope, Found } from '../contract/envelope.ts';
import { type CallWatch, noWatch } from './call-watch.ts';
import { endedText, type GrowingText, type Reading, readToEnd, waitForEnd } from './growing-text.ts';

/** The text around a call. */
export interface Surroundings {
  /** The texts that may end it: the closers of its envelope, or the mark of the code fence around it. They may be missing. */
  readonly closers: readonly string[];
  /** Whether text that looks like a call is certainly one, so that it is reported if it can't be read. */
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

// Stored by the function that reads a complete text, so that an envelope may be copied and renamed.
const readers = new WeakMap<Envelope['read'], EnvelopeReader>();

/** Creates an envelope that can be read while its text arrives. */
export function growingEnvelope(parts: Omit<Envelope, 'read'>, reader: EnvelopeReader): Envelope {
  const read: Envelope['read'] = (source, start, body) =>
    readToEnd(reader(endedText(source), start, body, noWatch, nowhere));
  readers.set(read, reader);
  return { ...parts, read };
}

/** Creates an envelope of bare calls. */
export function bareEnvelope(name: string, reader: EnvelopeReader): Envelope {
  return growingEnvelope({ name, tier: 3, openers: [] }, reader);
}

/** Reads an envelope. An envelope that can be read only in a complete text waits for the end. */
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
