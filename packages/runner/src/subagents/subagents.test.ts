import { describe, expect, it } from 'vitest';
import {
  allowAll,
  createDispatcher,
  defineTool,
  HaftError,
  renderForModel,
  type AnyTool,
  type PermissionEngine,
  type PermissionRequest,
  type ToolSource,
} from '@haft/core';
import {
  createSteerQueue,
  createSubagents,
  runAgent,
  type SubagentEvent,
  type SubagentRunnerOptions,
} from '../index.ts';
import { scriptedModel, type ScriptedModel, type ScriptedTurn } from '../testing.ts';
import { expectPaired } from '../fixtures/expect-paired.ts';

const look = defineTool({
  name: 'look_up',
  description: 'Looks.',
  kind: 'read',
  input: { type: 'object' },
  execute: () => 'found',
}) as AnyTool;

const write = defineTool({ name: 'write_it', description: 'Writes.', execute: () => 'written' }) as AnyTool;

const hand = (prompt: string, subagent_type = 'explore', name = 'subagent'): ScriptedTurn => ({
  calls: [{ name, arguments: { subagent_type, prompt } }],
});

interface Given extends Partial<SubagentRunnerOptions> {
  readonly parent: readonly ScriptedTurn[];
  readonly child: readonly ScriptedTurn[];
  readonly ask?: PermissionEngine['ask'];
}

function setUp({ parent, child, ask, ...options }: Given) {
  const asked: PermissionRequest[] = [];
  const permission: PermissionEngine = {
    ask(request) {
      asked.push(request);
      return ask?.(request) ?? allowAll.ask(request);
    },
  };
  const childModel = scriptedModel(child, { name: 'child' });
  const events: SubagentEvent[] = [];
  const subagents = createSubagents({
    model: childModel,
    source: (): ToolSource => source,
    types: {
      explore: {
        description: 'Finds things.',
        systemPrompt: 'You explore.',
        allow: { tools: ['look_up', 'subagent'] },
      },
      all: { description: 'Does anything.', limits: { toolCalls: 1 } },
    },
    onEvent: (event) => events.push(event),
    ...options,
  });
  const source = createDispatcher({
    registry: [look, write, ...subagents.tools],
    permission,
    middleware: [subagents.middleware],
  });
  const model = scriptedModel(parent, { name: 'parent' });
  const run = async (extras = {}) => {
    const result = await runAgent({ model, tools: source, prompt: 'Go', ...extras });
    expectPaired(result.messages);
    return result;
  };
  return { run, model, childModel, asked, events, subagents };
}

const toolsOf = (model: ScriptedModel): readonly (readonly string[])[] =>
  model.requests.map(({ tools }) => tools.map(({ name }) => name));

describe('a task delegated to an agent', () => {
  it('runs with the model of the parent run by default', async () => {
    const { tools, middleware } = createSubagents({
      source: () => source,
      types: { explore: { description: 'Finds things.', systemPrompt: 'You explore.', allow: { tools: ['look_up'] } } },
    });
    const source = createDispatcher({ registry: [look, ...tools], permission: allowAll, middleware: [middleware] });
    const model = scriptedModel([hand('Find it.'), 'It is here.', 'Thanks.'], { name: 'parent' });
    const { text, calls } = await runAgent({ model, tools: source, prompt: 'Go' });
    expect([text, calls[0]!.result.content]).toEqual(['Thanks.', [{ type: 'text', text: 'It is here.' }]]);
    expect(model.requests[1]!.messages[0]).toEqual({ role: 'system', content: 'You explore.' });
    const alone = await source.dispatch({
      id: '1',
      name: 'subagent',
      arguments: { subagent_type: 'explore', prompt: 'x' },
    });
    expect(renderForModel(alone)).toContain('no model is known for agents of the type explore');
  });

  it('runs in its own conversation, with the tools of its type and without the agent tools', async () => {
    const { run, childModel, asked, events, model } = setUp({
      parent: [hand('Find it.'), 'Thanks.'],
      child: [{ calls: [{ name: 'look_up' }], usage: { totalTokens: 7, costUsd: 0.5 } }, 'It is here.'],
    });
    const { calls } = await run();
    expect(calls[0]!.result).toMatchObject({
      ok: true,
      content: [{ type: 'text', text: 'It is here.' }],
      metadata: { sessionId: expect.any(String), usage: { totalTokens: 7 }, costUsd: 0.5, turns: 2, calls: 1 },
    });
    expect(childModel.requests[0]!.messages).toEqual([
      { role: 'system', content: 'You explore.' },
      { role: 'user', content: 'Find it.' },
    ]);
    expect(toolsOf(childModel)[0]).toEqual(['look_up']);
    expect(model.requests[0]!.tools.find(({ name }) => name === 'subagent')!.description).toContain('explore: Finds');
    // The same engine decides once for the agent and once for its call.
    expect(asked.map(({ tool }) => tool)).toEqual(['subagent', 'look_up']);
    expect(events.map(({ event }) => event.type)).toContain('result');
    expect(events[0]).toMatchObject({ agentType: 'explore', depth: 1, callId: calls[0]!.call.id });
  });

  it('runs next to others, each with its own limits', async () => {
    const twice = [hand('a', 'all'), hand('b', 'all')].flatMap((turn) => (turn as { calls: object[] }).calls);
    const busy: ScriptedTurn = { calls: [{ name: 'look_up' }] };
    const { run } = setUp({ parent: [{ calls: twice as never }, 'Done.'], child: [busy, busy, 'One.', 'Two.'] });
    const { calls } = await run();
    expect(calls.map(({ result }) => [result.ok, result.advisories.length])).toEqual([
      [true, 1],
      [true, 1],
    ]);
  });

  it('starts only with a known type and permission', async () => {
    const { run, childModel, asked } = setUp({ parent: [hand('x', 'nobody'), 'Oh.'], child: [] });
    expect((await run()).calls[0]!.result).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS' } });
    expect(asked).toEqual([]);
    const denied = setUp({
      parent: [hand('x'), 'Oh.'],
      child: [],
      ask: () => ({ action: 'deny', denial: { source: 'person', reason: 'no' } }),
    });
    expect((await denied.run()).calls[0]!.result).toMatchObject({ error: { code: 'PERMISSION_DENIED' } });
    expect(childModel.requests).toHaveLength(0);
  });

  it('fails with its usage if the agent fails', async () => {
    const { run } = setUp({
      parent: [hand('x'), 'Oh.'],
      child: [{ text: 'I', usage: { totalTokens: 3 }, error: new Error('gone') }],
    });
    const { result } = (await run()).calls[0]!;
    expect(result).toMatchObject({ ok: false, error: { fault: 'world' }, metadata: { usage: { totalTokens: 3 } } });
  });

  it('can be delegated up to the maximum depth', async () => {
    const { run, childModel, events } = setUp({
      maxDepth: 2,
      parent: [hand('one', 'all'), 'Done.'],
      child: [hand('two', 'all'), 'Leaf.', 'Middle.'],
    });
    await run();
    expect(toolsOf(childModel)[0]).toContain('subagent');
    expect(toolsOf(childModel)[1]).not.toContain('subagent');
    expect(Math.max(...events.map(({ depth }) => depth))).toBe(2);
  });

  it('ends with the run that requested it', async () => {
    const controller = new AbortController();
    const { run, childModel } = setUp({
      parent: [hand('x'), 'never'],
      child: [{ text: 'Wai', instead: 'silence' }],
      onEvent: ({ event }) => {
        if (event.type === 'text') controller.abort();
      },
    });
    const result = await run({ signal: controller.signal });
    expect(result.stopReason).toBe('aborted');
    expect(childModel.requests[0]!.signal?.aborted).toBe(true);
  });
});

describe('a background agent', () => {
  const call = (name: string, args: object): ScriptedTurn => ({ calls: [{ name, arguments: args }] });

  it('runs while its parent does other things, announces its end, and returns its answer when awaited', async () => {
    const steer = createSteerQueue();
    const { run, subagents } = setUp({
      steer,
      parent: [
        hand('x', 'explore', 'agent_spawn'),
        call('agent_status', {}),
        (request) => call('agent_await', { agent_id: idIn(request.messages) }) as never,
        call('agent_await', { agent_id: 'nobody' }),
        'Done.',
        'Really.',
      ],
      child: ['Found it.'],
    });
    const { calls, messages } = await run({ steer, runId: 'parent' });
    expect(calls.map(({ result }) => result.ok || result.error.code)).toEqual([true, true, true, 'NOT_FOUND']);
    expect(calls[2]!.result.content).toEqual([{ type: 'text', text: 'Found it.' }]);
    expect(messages.some(({ content }) => JSON.stringify(content).includes('has ended: done'))).toBe(true);
    expect(subagents.runner.list('parent')).toEqual([]);
  });

  it('can be stopped only by its own run, and ends with it', async () => {
    const { run, subagents, childModel } = setUp({
      parent: [
        hand('x', 'explore', 'agent_spawn'),
        hand('y', 'explore', 'agent_spawn'),
        (request) => call('agent_stop', { agent_id: idIn(request.messages) }) as never,
        (request) => call('agent_await', { agent_id: idIn(request.messages) }) as never,
        'Done.',
      ],
      child: [{ instead: 'silence' }, { instead: 'silence' }],
    });
    const { calls } = await run({ runId: 'parent' });
    expect(calls[3]!.result).toMatchObject({ ok: false, error: { code: 'ABORTED' } });
    await expect.poll(() => childModel.requests.every(({ signal }) => signal?.aborted)).toBe(true);
    expect(subagents.runner.stop('agent_1', 'another')).toBe(false);
  });

  it('is rejected beyond the limits of parallel agents and of agents per task', async () => {
    const spawn = hand('x', 'explore', 'agent_spawn');
    const silent: ScriptedTurn = { instead: 'silence' };
    const running = setUp({ maxParallel: 1, parent: [spawn, spawn, 'Done.'], child: [silent] });
    expect((await running.run()).calls[1]!.result).toMatchObject({ error: { code: 'LIMIT_REACHED' } });
    const started = setUp({ maxPerTask: 1, parent: [hand('x'), hand('y'), 'Done.'], child: ['One.'] });
    expect((await started.run()).calls[1]!.result).toMatchObject({ error: { code: 'LIMIT_REACHED' } });
    expect(() => setUp({ maxDepth: 0, parent: [], child: [] })).toThrow(HaftError);
  });
});

function idIn(messages: readonly { readonly role: string; readonly content: unknown }[]): string {
  const first = messages.find(({ role }) => role === 'tool');
  return /agent_\w+/.exec(JSON.stringify(first?.content).replace('agent_await', ''))![0];
}
