import { createToolCallStream, extractToolCalls } from '@haft/repair/calls';

/** A reader of a message with one call. Returns the number of calls that it found. */
export interface CallReader {
  readonly name: string;
  readonly countCalls: (pieces: readonly string[]) => number;
}

export const tools = [
  {
    name: 'write_file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' }, mode: { type: 'string' } },
      required: ['path', 'content'],
    },
  },
] as const;

export const haft: CallReader = {
  name: 'Haft',
  countCalls: (pieces) => {
    const stream = createToolCallStream({ tools, startsInReasoning: false });
    let calls = 0;
    for (const piece of pieces) for (const { type } of stream.push(piece)) if (type === 'call-ended') calls += 1;
    for (const { type } of stream.end('stop')) if (type === 'call-ended') calls += 1;
    return calls;
  },
};

/** The cost of reading the same message at once. */
export const whole: CallReader = {
  name: 'Haft, the whole text at once',
  countCalls: (pieces) => extractToolCalls(pieces.join(''), { tools, stopped: 'stop' }).calls.length,
};

export const callReaders: readonly CallReader[] = [haft, whole];
