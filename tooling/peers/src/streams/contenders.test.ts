import { describe, expect, it } from 'vitest';

import type { MakeWork } from '@haft-tooling/measure';
import { argumentsShapes, cutEvenly, writeArguments } from '@haft-tooling/corpora/streamed-arguments';
import { callReaders } from './call-readers.ts';
import { followCalls } from '@haft-tooling/corpora/tool-call-texts';
import { liveReaders } from './live-readers.ts';
import liveValue from './live-value.ts';
import readCalls from './read-calls.ts';

/** Each contender checks its own answer and throws if it is wrong, so a run that resolves has done the work. */
async function runOnce(makeWork: MakeWork, options: Readonly<Record<string, unknown>>): Promise<void> {
  const work = await makeWork(options);
  await work.run();
}

describe('the contenders of the stream benchmark', { timeout: 60_000 }, () => {
  it.each(liveReaders.map(({ name }) => name))('%s ends with the value of the whole text', async (reader) => {
    for (const shape of argumentsShapes) await runOnce(liveValue, { reader, shape, characters: 20_000 });
  });

  it.each(callReaders.map(({ name }) => name))('%s finds the call', async (reader) => {
    await runOnce(readCalls, { reader, characters: 1_000 });
  });

  it('write valid texts with about the requested number of characters', () => {
    for (const shape of argumentsShapes) {
      const text = writeArguments(shape, 100_000);
      expect(Math.abs(text.length - 100_000)).toBeLessThan(1_000);
      expect(JSON.stringify(JSON.parse(text))).toBe(text);
      expect(cutEvenly(text, 16).join('')).toBe(text);
    }
  });

  it('compare the joined deltas of a call', () => {
    const text = 'A <tool_call>{"name": "ping", "arguments": {"n": 1}}</tool_call> B';
    const followed = followCalls(cutEvenly(text, 3), { tools: [{ name: 'ping' }] });
    expect(followed).toMatchObject({
      calls: [{ name: 'ping', arguments: { n: 1 } }],
      deltas: ['{"n": 1}'],
      text: 'A  B',
    });
  });
});
