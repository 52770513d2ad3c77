import { allowAll, defineTool, type AnyTool, type Message } from '@haft/core';
import { expect, it } from 'vitest';

import { runAgent, type RunAgentOptions } from '../../index.ts';
import { scriptedModel } from '../../testing.ts';

const write = defineTool({
  name: 'write_out',
  description: 'Writes a text.',
  kind: 'read',
  input: {
    type: 'object',
    properties: { length: { type: 'number' }, place: { type: 'string' } },
    required: ['length'],
  },
  execute: (args) => {
    const { length, place } = args as { length: number; place?: string };
    const text = '😀'.repeat(length / 2);
    return place === undefined ? text : `a\n[… 9 characters left out; the whole text is in ${place} …]\n${text}`;
  },
}) as AnyTool;

async function results(lengths: readonly number[], options: Partial<RunAgentOptions> = {}, place?: string) {
  const calls = lengths.map((length) => ({ name: 'write_out', arguments: { length, place } }));
  const model = scriptedModel([{ calls }, 'Done.']);
  const run = await runAgent({ model, tools: [write], prompt: 'Go', permission: allowAll, ...options });
  const texts = run.messages
    .filter((message): message is Extract<Message, { role: 'tool' }> => message.role === 'tool')
    .map(({ content }) => (content[0]?.type === 'text' ? content[0].text : ''));
  return { run, texts, total: texts.reduce((sum, text) => sum + text.length, 0) };
}

it('cuts the longest results of a turn until their total fits the limit, and leaves short ones unchanged', async () => {
  const { run, texts, total } = await results([4_000, 100, 6_000, 900], { maxTurnResultCharacters: 4_000 });
  expect(total).toBeLessThanOrEqual(4_000);
  expect(total).toBeGreaterThan(3_800);
  expect(texts[1]).toHaveLength(100);
  expect(texts[3]).toHaveLength(900);
  for (const text of [texts[0]!, texts[2]!]) {
    expect(text).toMatch(/\[… \d+ characters left out …\]/);
    expect(text.isWellFormed()).toBe(true);
  }
  expect(run.diagnostics).toMatchObject([
    { kind: 'results-cut', turn: 1, message: expect.stringContaining('2 of them') },
  ]);
  // Programs receive the whole results.
  expect(run.calls.map(({ result }) => JSON.stringify(result.content).length > 4_000)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it('limits a turn to 200,000 characters unless the options say otherwise', async () => {
  const eight = Array.from({ length: 8 }, () => 100_000);
  const { total } = await results(eight);
  expect(total).toBeGreaterThan(190_000);
  expect(total).toBeLessThanOrEqual(200_000);
  const unlimited = await results(eight, { maxTurnResultCharacters: Infinity });
  expect(unlimited.total).toBe(800_000);
  expect(unlimited.run.diagnostics).toEqual([]);
});

it('keeps the name of the file that holds the whole text of a result that was cut before', async () => {
  const { texts } = await results([2_000, 2_000], { maxTurnResultCharacters: 1_000 }, '/tmp/call_1.txt');
  for (const text of texts) expect(text).toMatch(/characters left out; the whole text is in \/tmp\/call_1\.txt …\]/);
});
