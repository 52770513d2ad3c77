import { invalidOption } from '../../options/check-argument.ts';
import type { Envelope, Found } from '../contract/envelope.ts';
import { type CallWatch, noWatch } from './call-watch.ts';
import { GrowingText, type Reading, readToEnd } from './growing-text.ts';

/** The text around a call. */
export interface Surroundings {
  /** The texts that may end it: the closers of its envelope, or the mark of the code fence around it. They may be missing. */
  readonly closers: readonly string[];
  /** Whether a special opener or the start of the message makes a call likely. Then a call that can't be read is reported. */
  readonly isLikely: boolean;
}

/** Reads an envelope in a text that may still grow. */
type EnvelopeReader = (
  source: GrowingText,
  start: number,
  body: number,
  watch: CallWatch,
  surroundings: Surroundings,
) => Reading<Found | undefined>;

const nowhere: Surroundings = { closers: [], isLikely: false };

// Stored by the function that reads a complete text, so that an envelope may be copied and renamed.
const readers = new WeakMap<Envelope['read'], EnvelopeReader>();

/** Creates an envelope that can be read while its text arrives. */
export function growingEnvelope(parts: Omit<Envelope, 'read'>, reader: EnvelopeReader): Envelope {
  const read: Envelope['read'] = (source, start, body) =>
    readToEnd(reader(new GrowingText(source, source.text), start, body, noWatch, nowhere));
  readers.set(read, reader);
  return { ...parts, read };
}

/** Creates an envelope of bare calls. */
export function bareEnvelope(name: string, reader: EnvelopeReader): Envelope {
  return growingEnvelope({ name, tier: 3, openers: [] }, reader);
}

/**
 * Reads an envelope. An envelope that can be read only in a complete text waits for the end.
 *
 * @throws TypeError with the code `INVALID_OPTION` if an envelope of the caller ends where it begins, before that, or
 * beyond the text, because the same text would then be read for ever.
 */
export function* readEnvelope(
  { name, read }: Envelope,
  source: GrowingText,
  start: number,
  body: number,
  watch: CallWatch,
  surroundings: Surroundings = nowhere,
): Reading<Found | undefined> {
  const reader = readers.get(read);
  if (reader !== undefined) return yield* reader(source, start, body, watch, surroundings);
  yield* source.waitForEnd();
  const found = read(source, start, body);
  const { length } = source.text;
  if (found !== undefined && !(found.end > start && found.end <= length))
    throw invalidOption(
      `options.envelopes: read of the envelope "${name}" returned the end ${found.end} for a call that begins at ${start} (expected an offset from ${start + 1} to ${length})`,
    );
  return found;
}
