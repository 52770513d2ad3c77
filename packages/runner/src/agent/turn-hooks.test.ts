import { defineTool, type AnyTool, type TurnHooks } from '@haft/core';
import { describe, expect, it } from 'vitest';
import { expectPaired } from '../fixtures/expect-paired.ts';
import { runAgent, type AgentResult } from '../index.ts';
import { scriptedModel } from '../testing.ts';

const act = defineTool({
  name: 'act',
  description: 'Acts.',
  input: { type: 'object' },
  kind: 'read',
  execute: () => 'acted',
}) as AnyTool;
const script = [{ text: 'Working.', calls: [{ name: 'act' }] }, 'The key is 123.'];

async function run(
  ...turnHooks: readonly TurnHooks[]
): Promise<{ result: AgentResult; model: ReturnType<typeof scriptedModel> }> {
  const model = scriptedModel(script);
  const result = await runAgent({ model, tools: [act], prompt: 'Go', turnHooks, turnHookTimeoutMs: 500 });
  expectPaired(result.messages);
  return { result, model };
}

describe('hooks around turns', () => {
  it('receive the conversation before each turn, and the answer and its calls after it', async () => {
    const seen: unknown[] = [];
    const { result } = await run({
      name: 'watcher',
      beforeTurn: ({ turn, messages }) => void seen.push(['before', turn, messages.length]) as undefined,
      afterTurn: ({ turn }, { text, calls }) => void seen.push(['after', turn, text, calls]) as undefined,
    });
    expect(seen).toEqual([
      ['before', 1, 1],
      ['after', 1, 'Working.', [{ id: expect.any(String), name: 'act', ok: true }]],
      ['before', 2, 3],
      ['after', 2, 'The key is 123.', []],
    ]);
    expect(result).toMatchObject({ stopReason: 'finished', text: 'The key is 123.' });
  });

  it('add a note that the model reads in the same turn', async () => {
    const { result, model } = await run({
      name: 'clock',
      beforeTurn: ({ turn }) => (turn === 2 ? { note: 'It is late.' } : undefined),
    });
    expect(model.requests[1]!.messages.at(-1)).toEqual({
      role: 'user',
      content: 'Automatic note from clock:\nIt is late.',
    });
    expect(result.diagnostics).toMatchObject([{ kind: 'hook', turn: 2 }]);
  });

  it('replace the text of the answer everywhere', async () => {
    const { result } = await run({
      name: 'redactor',
      afterTurn: (_, { text }) => (text.includes('123') ? { text: text.replace('123', '***') } : undefined),
    });
    expect(result.text).toBe('The key is ***.');
    expect(JSON.stringify(result.messages)).not.toContain('123');
  });

  it.each<readonly [string, TurnHooks, Partial<AgentResult>, number]>([
    [
      'says no before a turn',
      { name: 'guard', beforeTurn: ({ turn }) => (turn === 2 ? { deny: 'enough' } : undefined) },
      { stopReason: 'denied', error: { code: 'PERMISSION_DENIED' } as never },
      1,
    ],
    [
      'says no after a turn',
      { name: 'guard', afterTurn: (_, { text }) => (text.includes('123') ? { deny: 'a key' } : undefined) },
      { stopReason: 'denied', text: '' },
      2,
    ],
    [
      'throws',
      {
        name: 'broken',
        afterTurn: () => {
          throw new Error('x');
        },
      },
      { stopReason: 'error', text: '', error: { code: 'EXECUTION_ERROR' } as never },
      1,
    ],
    [
      'answers nonsense',
      { name: 'broken', beforeTurn: () => ({ denied: 'yes' }) as never },
      { stopReason: 'error' },
      0,
    ],
    ['never answers', { name: 'slow', beforeTurn: () => new Promise(() => {}) }, { stopReason: 'error' }, 0],
  ])('end the run if one %s', async (_, hooks, expected, requests) => {
    const { result, model } = await run(hooks);
    expect(result).toMatchObject(expected);
    expect(model.requests).toHaveLength(requests);
    expect(JSON.stringify(result.messages)).not.toContain('123');
  });
});
