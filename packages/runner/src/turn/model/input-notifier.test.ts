import { defineTool } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runAgent } from '../../agent/run-agent.ts';
import { scriptedModel } from '../../testing/scripted-model.ts';

describe('a tool that listens to its input', () => {
  it('receives arguments while the model writes them, before it runs with all of them', async () => {
    const received: string[] = [];
    const write = eraseTool(
      defineTool({
        name: 'write_note',
        description: 'Writes a note.',
        kind: 'read',
        input: z.object({ text: z.string() }),
        onInput: ({ partial }) => received.push(JSON.stringify(partial)),
        execute: ({ text }) => void received.push(`ran ${text}`),
      }),
    );
    const text = 'a note that is long enough to come in pieces';
    const model = scriptedModel([{ calls: [{ name: 'write_note', arguments: { text } }] }, { text: 'done' }]);
    const result = await runAgent({ model, tools: [write], prompt: 'Go' });
    expect(result.stopReason).toBe('finished');
    expect(received.at(-1)).toBe(`ran ${text}`);
    expect(received.at(-2)).toBe(JSON.stringify({ text }));
    expect(received.length).toBeGreaterThan(3);
  });

  it('receives nothing in a turn without tools', async () => {
    let received = 0;
    const tool = eraseTool(
      defineTool({
        name: 'again',
        description: 'd',
        kind: 'read',
        onInput: () => void (received += 1),
        execute: () => 'x',
      }),
    );
    const calls = [{ name: 'again' }];
    const model = scriptedModel([{ calls }, { calls }, { text: 'done' }]);
    await runAgent({ model, tools: [tool], prompt: 'Go', maxToolIterations: 1 });
    expect(received).toBe(1);
  });
});
