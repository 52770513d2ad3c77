import type { MakeWork } from '@haft-tooling/measure';
import { cutEvenly, writeArguments } from '@haft-tooling/corpora/streamed-arguments';
import { callReaders } from './call-readers.ts';

/**
 * A message in chunks of 16 characters: a sentence, one call with that many characters of arguments, and a sentence.
 */
const makeWork: MakeWork = ({ reader: name, characters }) => {
  const reader = callReaders.find((one) => one.name === name);
  if (reader === undefined || typeof characters !== 'number') throw new Error(`unknown reader ${String(name)}`);
  const call = `{"name": "write_file", "arguments": ${writeArguments('one long text', characters)}}`;
  const pieces = cutEvenly(`I write it now.\n<tool_call>\n${call}\n</tool_call>\nDone.`, 16);
  return {
    run: async () => {
      const calls = reader.countCalls(pieces);
      if (calls !== 1) throw new Error(`${reader.name} found ${calls} calls`);
      await Promise.resolve();
    },
  };
};

export default makeWork;
