import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelRequest } from '@haft/core';
import { scriptedModel, type ScriptedModel } from '../testing.ts';

async function play(model: ScriptedModel, request: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.generate({ messages: [], tools: [], ...request })) events.push(event);
  return events;
}

describe('scriptedModel', () => {
  it('plays an answer in deterministic chunks, never splitting a character', async () => {
    const turn = {
      reasoning: 'Hm',
      text: 'a😀b😀c😀d😀',
      calls: [{ name: 'act', arguments: '{broken' }],
      usage: { totalTokens: 1 },
    };
    const once = await play(scriptedModel([turn]));
    expect(await play(scriptedModel([turn]))).toEqual(once);
    const chunks = once.flatMap((event) => (event.type === 'text' ? [event.text] : []));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.join('')).toBe(turn.text);
    expect(chunks.every((chunk) => chunk.isWellFormed())).toBe(true);
    expect(once.filter((event) => event.type === 'tool-call')).toEqual([
      { type: 'tool-call', id: 'call_1', name: 'act', arguments: '{broken' },
    ]);
    expect(once.slice(-2)).toEqual([
      { type: 'usage', usage: { totalTokens: 1 } },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  it.each([
    ['hi', `turns is not valid (expected an array of turns, such as ['Hello'] or `],
    [undefined, 'turns is not valid (expected an array of turns'],
    [[{ content: 'hi' }], 'turns[0].content is not an option'],
    [['hi', { calls: [{ arguments: {} }] }], 'turns[1].calls[0].name is missing (expected a string)'],
    [[5], 'turns[0] is not valid (expected a string or an object such as '],
  ])('rejects the turns %j', (turns, message) => {
    expect(() => scriptedModel(turns as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        message: expect.stringContaining(`scriptedModel: ${message}`),
      }),
    );
  });

  it('calls functions for their answer, and stores requests', async () => {
    const model = scriptedModel([async (request, index) => `${index}: ${request.messages.length}`], { chunks: [100] });
    expect(await play(model, { messages: [{ role: 'user', content: 'Hi' }] })).toEqual([
      { type: 'text', text: '0: 1' },
      { type: 'finish', reason: 'stop' },
    ]);
    expect(model.requests).toHaveLength(1);
  });

  it('fails beyond its script, and reports unused turns', async () => {
    const model = scriptedModel(['one']);
    expect(() => model.assertComplete()).toThrow('only 0 requests');
    expect(model.remaining).toBe(1);
    await play(model);
    model.assertComplete();
    await expect(play(model)).rejects.toThrow('request 2');
    expect(model.remaining).toBe(0);
  });

  it('is silent until the request is aborted', async () => {
    const controller = new AbortController();
    const playing = play(scriptedModel([{ text: 'x', instead: 'silence' }]), { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 1);
    await expect(playing).rejects.toThrow('enough');
  });
});
