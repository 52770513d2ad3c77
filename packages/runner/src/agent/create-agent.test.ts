import { describe, expect, it } from 'vitest';
import { allowAll, createDispatcher, defineTool, HaftError, type AnyTool } from '@haft/core';
import { createAgent, type AgentState } from '../index.ts';
import { scriptedModel } from '../testing.ts';
import { expectPaired } from '../fixtures/expect-paired.ts';

const note = defineTool({
  name: 'note_down',
  description: 'Notes.',
  input: { type: 'object' },
  execute: () => 'noted',
}) as AnyTool;

describe('an agent', () => {
  it('keeps the conversation and sums the usage of its runs', async () => {
    const model = scriptedModel([
      { calls: [{ name: 'note_down' }], usage: { totalTokens: 3 } },
      { text: 'Noted.', usage: { totalTokens: 4 } },
      { text: 'Milk.', usage: { totalTokens: 5 } },
    ]);
    const agent = createAgent({ model, tools: [note], systemPrompt: 'Be brief.', permission: allowAll });
    expect((await agent.run('Note milk.')).text).toBe('Noted.');
    expect((await agent.run('What was it?')).text).toBe('Milk.');
    expect(agent.usage).toEqual({ totalTokens: 12 });
    expect(agent.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
    ]);
    expectPaired(agent.messages);
  });

  it('continues from its state as JSON, with media, waiting messages and a changed system prompt', async () => {
    const first = createAgent({ model: scriptedModel(['A cat.']), systemPrompt: 'Old.' });
    first.replaceMessages([
      { role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) }] },
    ]);
    await first.run();
    first.steer('Hurry.', { source: 'person', trusted: true });
    const state = JSON.parse(JSON.stringify(await first.save())) as AgentState;
    const model = scriptedModel(['Yes.']);
    const second = createAgent({ model, systemPrompt: 'New.', state });
    expect(second.id).toBe(first.id);
    expect((await second.run('Sure?')).stopReason).toBe('finished');
    expect(model.requests[0]!.messages).toEqual([
      { role: 'system', content: 'New.' },
      { role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) }] },
      { role: 'assistant', content: 'A cat.' },
      { role: 'user', content: 'Sure?' },
      { role: 'user', content: 'Hurry.' },
    ]);
  });

  it('survives an abort, and can be saved while it runs', async () => {
    const model = scriptedModel([
      { calls: [{ name: 'note_down' }, { name: 'note_down' }] },
      { text: 'Wai', instead: 'silence' },
      'Here I am.',
    ]);
    let saved: Promise<AgentState> | undefined;
    const agent = createAgent({
      model,
      tools: [note],
      permission: allowAll,
      onEvent: (event) => {
        if (event.type !== 'text' || event.turn !== 2) return;
        saved = agent.save();
        agent.abort();
      },
    });
    expect(agent.abort()).toBe(false);
    const running = agent.run('Go');
    expect(agent.isRunning).toBe(true);
    await expect(agent.run('Another')).rejects.toThrow(HaftError);
    expect(() => agent.replaceMessages([])).toThrow(HaftError);
    expect((await running).stopReason).toBe('aborted');
    expect((await saved!).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    expect((await agent.run('Again')).text).toBe('Here I am.');
    expectPaired(agent.messages);
  });

  it('ends at a second abort even if a tool ignores the signal', async () => {
    const deaf = defineTool({
      name: 'be_deaf',
      description: 'Never ends.',
      kind: 'read',
      input: { type: 'object' },
      execute: () => {
        agent.abort();
        setTimeout(() => agent.abort(), 0);
        return new Promise(() => {});
      },
    }) as AnyTool;
    const model = scriptedModel([{ calls: [{ name: 'be_deaf' }] }, 'Still here.']);
    // The dispatcher would wait for the tool for longer than the agent waits for the dispatcher, which is 5 s.
    const agent = createAgent({ model, tools: createDispatcher({ registry: [deaf], cancelGraceMs: 60_000 }) });
    const startedAt = performance.now();
    expect((await agent.run('Go')).stopReason).toBe('aborted');
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect((await agent.run('Again')).text).toBe('Still here.');
  });

  it('can run again after invalid options', async () => {
    const agent = createAgent({ model: scriptedModel(['Fine.']) });
    await expect(agent.run()).rejects.toThrow(HaftError);
    expect(agent.isRunning).toBe(false);
    expect((await agent.run('Now')).text).toBe('Fine.');
  });

  it.each([
    null,
    5,
    {},
    { version: 2, id: 'a', messages: [] },
    { version: 1, id: '', messages: [] },
    { version: 1, id: 'a' },
    { version: 1, id: 'a', messages: [7] },
    { version: 1, id: 'a', messages: [{ role: 'user', content: [{ type: 'image', base64: 5 }] }] },
  ])('refuses %j as a state', (state) => {
    expect(() => createAgent({ model: scriptedModel([]), state: state as unknown as AgentState })).toThrow(HaftError);
  });

  it('shapes the conversation before each request and keeps every call answered', async () => {
    const model = scriptedModel([{ calls: [{ name: 'note_down' }] }, 'Done.', 'Again.']);
    const agent = createAgent({
      model,
      tools: [note],
      permission: allowAll,
      shapeHistory: (messages, { turn }) => {
        if (turn === 2) return messages.slice(1, 2);
        if (messages.length > 3) throw new Error('no shape');
        return undefined;
      },
    });
    const first = await agent.run('Go');
    expect(model.requests[1]!.messages.map(({ role }) => role)).toEqual(['assistant', 'tool']);
    expect(first.diagnostics.map(({ kind }) => kind)).toEqual(['orphan-call']);
    const second = await agent.run('More');
    expect(second.diagnostics.map(({ kind }) => kind)).toEqual(['history-kept']);
    expect(second.text).toBe('Again.');
  });
});
