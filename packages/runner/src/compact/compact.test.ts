import { describe, expect, it } from 'vitest';
import { allowAll, defineTool, HaftError, success, type AnyTool, type Message } from '@haft/core';
import {
  compactHistory,
  createAgent,
  createCompactTool,
  createHistoryCompactor,
  createDiffRecorder,
  pairHistory,
  runAgent,
} from '../index.ts';
import { scriptedModel, type ScriptedTurn } from '../testing.ts';
import { expectPaired } from '../fixtures/expect-paired.ts';

function conversation(turns: number): Message[] {
  const messages: Message[] = [
    { role: 'system', content: 'Be exact.' },
    { role: 'user', content: 'The task.' },
  ];
  for (let turn = 0; turn < turns; turn += 1) {
    const toolCalls = [0, 1].map((nth) => ({ id: `c${turn}_${nth}`, name: 'look_up', arguments: { turn, nth } }));
    messages.push({ role: 'assistant', content: `Step ${turn}.`, toolCalls });
    for (const { id, name } of toolCalls)
      messages.push({
        role: 'tool',
        callId: id,
        name,
        content: [{ type: 'text', text: `answer ${id}` }],
        isError: false,
      });
  }
  return messages;
}

describe('compactHistory', () => {
  it('keeps the system message, the task and the latest groups, and inserts a summary of the rest in its place', async () => {
    const { messages, removed } = await compactHistory(conversation(10), { keep: 2 });
    expect(removed).toBe(24);
    expect(messages.map(({ role }) => role).join(' ')).toBe('system user user assistant tool tool assistant tool tool');
    expect(messages[2]!.content).toContain('You called look_up with {"turn":0,"nth":0}');
    expectPaired(messages);
  });

  it('never separates a call from its answers, whatever is pinned or kept', async () => {
    const all = conversation(8);
    for (let keep = 1; keep <= 12; keep += 1) {
      for (const index of [3, 4, 9, 13, 25]) {
        const pinned = (_: Message, at: number): boolean => at === index;
        const { messages } = await compactHistory(all, { keep, pinned });
        expectPaired(messages);
        expect(messages).toContain(all[index]);
        expect(pairHistory(messages).changes).toEqual([]);
      }
    }
  });

  it('leaves a short or already compacted conversation unchanged', async () => {
    const short = conversation(2);
    expect(await compactHistory(short)).toEqual({ messages: short, removed: 0 });
    const once = await compactHistory(conversation(10), { keep: 3 });
    expect((await compactHistory(once.messages, { keep: 3 })).messages).toBe(once.messages);
    const more = await compactHistory([...once.messages, ...conversation(3).slice(2)], { keep: 3 });
    expect(more.messages.filter(({ content }) => JSON.stringify(content).startsWith('"Summary'))).toHaveLength(1);
    expect(more.messages[2]!.content).toContain('"turn":0');
  });

  it('uses a custom summary, and passes its exceptions on', async () => {
    const summarize = (gone: readonly Message[]): Promise<string> => Promise.resolve(`${gone.length} went`);
    expect((await compactHistory(conversation(9), { keep: 1, summarize })).messages[2]!.content).toContain('24 went');
    const broken = compactHistory(conversation(9), { summarize: () => Promise.reject(new Error('no words')) });
    await expect(broken).rejects.toThrow('no words');
    await expect(compactHistory([], { keep: 0 })).rejects.toThrow(HaftError);
  });
});

describe('an agent that compacts', () => {
  const look = defineTool({
    name: 'look_up',
    description: 'Looks.',
    kind: 'read',
    input: { type: 'object' },
    execute: () => 'found',
  }) as AnyTool;
  const looks = (inputTokens = 10): ScriptedTurn => ({ calls: [{ name: 'look_up' }], usage: { inputTokens } });

  it('compacts automatically when requests grow large, and continues', async () => {
    const removed: number[] = [];
    const compactor = createHistoryCompactor({
      keep: 1,
      atTokens: 100,
      onCompacted: (one) => removed.push(one.removed),
    });
    const model = scriptedModel([looks(), looks(), looks(100), 'Done.']);
    const agent = createAgent({ model, tools: [look], shapeHistory: compactor.shapeHistory });
    expect((await agent.run('Go')).diagnostics).toEqual([]);
    expect(removed).toEqual([4]);
    expect(model.requests[3]!.messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool']);
    expectPaired(agent.messages);
  });

  it('compacts when the model asks for it, and reports when there is nothing to do', async () => {
    const compactor = createHistoryCompactor({ keep: 1 });
    const asks: ScriptedTurn = { calls: [{ name: 'compact' }] };
    const model = scriptedModel([asks, looks(), looks(), asks, 'Done.']);
    const agent = createAgent({
      model,
      tools: [look, createCompactTool(compactor)],
      shapeHistory: compactor.shapeHistory,
    });
    const { calls } = await agent.run('Go');
    expect(calls.filter(({ call }) => call.name === 'compact').map(({ result }) => result.structured)).toEqual([
      { compacted: false },
      { compacted: true },
    ]);
    expect(model.requests[4]!.messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool']);
  });
});

describe('createDiffRecorder', () => {
  it('stores the changes of calls by turn until the task is forgotten', async () => {
    const diff = { path: 'a.ts', patch: '+1', existedBefore: true, additions: 1, deletions: 0 };
    const edit = defineTool({
      name: 'edit_it',
      description: 'Edits.',
      execute: (_, { callId }) =>
        success(callId, 'done', { diff, effects: [{ kind: 'file', path: 'a.ts', op: 'modify' }] }),
    }) as AnyTool;
    const read = defineTool({
      name: 'read_it',
      description: 'Reads.',
      execute: (_, { callId }) => success(callId, 'x', { effects: [{ kind: 'file', path: 'a.ts', op: 'read' }] }),
    }) as AnyTool;
    const recorder = createDiffRecorder();
    const turn = { calls: [{ name: 'read_it' }, { name: 'edit_it' }] };
    await runAgent({
      model: scriptedModel([turn, turn, 'Done.']),
      tools: [edit, read],
      prompt: 'Go',
      runId: 'r',
      permission: allowAll,
      middleware: [recorder],
    });
    expect(JSON.parse(JSON.stringify(recorder.diffs('r')))).toMatchObject([
      { turn: 1, name: 'edit_it', diff },
      { turn: 2, name: 'edit_it', diff },
    ]);
    recorder.forget('r');
    expect(recorder.diffs('r')).toEqual([]);
  });
});
