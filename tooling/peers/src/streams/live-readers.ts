import { createJsonStream } from '@haft/repair/json';
import { JSONParser } from '@streamparser/json';
import { parsePartialJson } from 'ai';
import { parse } from 'partial-json';

import { versionOf } from '../version-of.ts';

/** A reader that has a live value while JSON arrives. */
export interface LiveReader {
  readonly name: string;
  /**
   * Takes one chunk after the other. Returns the live value after each; the last one is the value of the whole text.
   */
  readonly begin?: () => (piece: string) => unknown;
  /** Whether it reads all text from the beginning for each chunk. */
  readonly reparse?: (text: string) => unknown;
}

/** A value that is being read is not in its container yet, but stored beside the root. */
const fromStreamParser = (emitsPartial: boolean) => (): ((piece: string) => unknown) => {
  let root: unknown;
  let last: unknown;
  const parser = new JSONParser({ emitPartialTokens: emitsPartial, emitPartialValues: emitsPartial });
  parser.onValue = ({ value, parent, stack }) => {
    last = value;
    root = stack.length === 0 ? value : stack.length === 1 ? parent : stack[1]?.value;
  };
  return (piece) => {
    parser.write(piece);
    return root ?? last;
  };
};

const streamparser = `@streamparser/json ${versionOf('@streamparser/json')}`;

export const haft: LiveReader = {
  name: 'Haft',
  begin: () => {
    const stream = createJsonStream();
    return (piece) => {
      stream.push(piece);
      return stream.value;
    };
  },
};

export const incremental: readonly LiveReader[] = [
  { name: streamparser, begin: fromStreamParser(true) },
  { name: `${streamparser}: finished values only`, begin: fromStreamParser(false) },
];

export const reparsers: readonly LiveReader[] = [
  {
    name: `AI SDK ${versionOf('ai')}: parsePartialJson`,
    reparse: async (text) => (await parsePartialJson(text)).value,
  },
  { name: `partial-json ${versionOf('partial-json')}`, reparse: (text) => parse(text) as unknown },
];

export const liveReaders: readonly LiveReader[] = [haft, ...incremental, ...reparsers];
