import type { MakeWork } from '@haft-tooling/measure';
import { argumentsShapes, cutEvenly, writeArguments } from '@haft-tooling/corpora/streamed-arguments';
import { liveReaders } from './live-readers.ts';

/** Length of the chunks in which arguments arrive. */
const pieceLength = 16;

/**
 * Readers that start again for each value are slow, so only every n-th value is measured. The values do not
 * depend on each other.
 */
const sampled = 250;

/** Arguments in chunks, and a live value after each. */
const makeWork: MakeWork = ({ reader: name, shape: wanted, characters }) => {
  const reader = liveReaders.find((one) => one.name === name);
  const shape = argumentsShapes.find((one) => one === wanted);
  if (reader === undefined || shape === undefined || typeof characters !== 'number')
    throw new Error(`unknown reader ${String(name)} of ${String(wanted)}`);
  const text = writeArguments(shape, characters);
  const pieces = cutEvenly(text, pieceLength);
  const { begin, reparse } = reader;
  if (begin !== undefined) {
    return {
      run: () => {
        const push = begin();
        let value: unknown;
        for (const piece of pieces) value = push(piece);
        return check(value, text);
      },
    };
  }
  if (reparse === undefined) throw new Error(`${reader.name} returned no value`);
  // The middle value of each group is measured as its representative.
  const ends = Array.from({ length: Math.floor(pieces.length / sampled) }, (_, index) =>
    Math.round((index + 0.5) * sampled * pieceLength),
  );
  const beginnings = ends.map((end) => text.slice(0, end));
  return {
    run: async () => {
      let value: unknown;
      for (const beginning of beginnings) value = await reparse(beginning);
      if (typeof value !== 'object' || value === null) throw new Error(`${reader.name} read nothing`);
    },
    operations: ends.length / pieces.length,
  };
};

export default makeWork;

let checked = '';

/** Compares the value with the text once, and afterwards only checks that a value exists. */
async function check(value: unknown, text: string): Promise<void> {
  if (checked === text ? value === undefined : JSON.stringify(value) !== text)
    throw new Error('the last live value is not the one that was written');
  checked = text;
  await Promise.resolve();
}
