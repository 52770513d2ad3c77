import { allowAll, defineTool, failure, success, toolError } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { describe, expect, it } from 'vitest';
import type { RunAgentOptions } from '../options/agent-options.ts';
import type { AgentResult } from '../contracts/agent-result.ts';
import { runAgent } from '../agent/run-agent.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import type { CompletionGate } from '../contracts/completion-gate.ts';
import { requireWork } from './require-work.ts';

const tools = [
  defineTool({
    name: 'write',
    description: 'Writes.',
    execute: (_, { callId }) => success(callId, 'ok', { effects: [{ kind: 'file', path: '/a.ts', op: 'modify' }] }),
  }),
  defineTool({
    name: 'look',
    description: 'Reads.',
    kind: 'read',
    execute: (_, { callId }) => success(callId, 'ok', { effects: [{ kind: 'file', path: '/a.ts', op: 'read' }] }),
  }),
  defineTool({
    name: 'fail',
    description: 'Fails.',
    execute: (_, { callId }) =>
      failure(callId, toolError('WRITE_ERROR', 'no'), { effects: [{ kind: 'file', path: '/a.ts', op: 'modify' }] }),
  }),
].map(eraseTool);

/** Creates a model that plays a script of tools to call and texts to answer. */
function play(
  turns: readonly string[],
  completion: CompletionGate,
  more: Partial<RunAgentOptions> = {},
): Promise<AgentResult> {
  const isTool = (turn: string): boolean => tools.some(({ name }) => name === turn);
  const model = scriptedModel(turns.map((turn) => (isTool(turn) ? { calls: [{ name: turn }] } : turn)));
  return runAgent({ model, tools, permission: allowAll, prompt: 'Go', completion, ...more });
}
const notes = ({ messages }: AgentResult): readonly string[] =>
  messages.flatMap(({ role, content }) => (role === 'user' && typeof content === 'string' ? [content] : [])).slice(1);

describe('requireWork', () => {
  it.each([
    ['nothing', ['Done.', 'write', 'Done now.'], /since no tool was called/],
    ['nothing but reading', ['look', 'Done.', 'write', 'Done now.'], /since the calls changed nothing/],
    ['nothing that succeeded', ['fail', 'Done.', 'write', 'Done now.'], /these calls failed: fail \(WRITE_ERROR\)/],
  ])('asks the model to continue if it has done %s', async (_, turns, reason) => {
    const run = await play(turns, requireWork());
    expect(run).toMatchObject({ stopReason: 'finished', text: 'Done now.' });
    expect(notes(run)).toEqual([expect.stringMatching(reason)]);
    expect(run.diagnostics).toMatchObject([{ kind: 'work-missing' }]);
  });

  it('accepts the answer of a model that has done work', async () => {
    const run = await play(['write', 'Done.'], requireWork());
    expect([run.stopReason, run.text, notes(run)]).toEqual(['finished', 'Done.', []]);
  });

  it('ends with an error after the last reminder', async () => {
    const run = await play(['Done.', 'Done!', 'I said done.'], requireWork());
    expect(run).toMatchObject({
      stopReason: 'error',
      text: 'I said done.',
      error: { code: 'POLICY_BLOCKED', details: { guardrail: 'require-work' } },
    });
    expect(notes(run)).toHaveLength(2);
  });

  it('runs verifiers on the changed files until they pass', async () => {
    const asked: (readonly string[])[] = [];
    const compiler = {
      name: 'compiler',
      run: async (paths: readonly string[]) => {
        asked.push(paths);
        return asked.length > 1 ? { ok: true } : { ok: false, output: 'a.ts:1: wrong' };
      },
    };
    const other = { name: 'other', matches: () => false, run: () => Promise.reject(new Error('never asked')) };
    const run = await play(['write', 'Done.', 'write', 'Done now.'], requireWork({ verifiers: [compiler, other] }));
    expect(run.text).toBe('Done now.');
    expect(notes(run)[0]).toContain('compiler failed:\na.ts:1: wrong');
    expect(asked).toEqual([['/a.ts'], ['/a.ts']]);
  });

  it('does not ask the model to continue at a limit', async () => {
    const run = await play(['look', 'Done.'], requireWork(), { maxToolIterations: 1 });
    expect([run.stopReason, notes(run)]).toEqual(['limit', []]);
  });

  it('applies to a structured answer too, which is then requested again', async () => {
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;
    const model = scriptedModel([
      { calls: [{ name: 'submit_output', arguments: { n: 1 } }] },
      { calls: [{ name: 'write' }] },
      { calls: [{ name: 'submit_output', arguments: { n: 2 } }] },
    ]);
    const completion = requireWork({ isWork: ({ call }) => call.name === 'write' });
    const run = await runAgent({ model, tools, permission: allowAll, prompt: 'Go', output: { schema }, completion });
    expect([run.stopReason, run.output]).toEqual(['finished', { n: 2 }]);
  });
});

describe('a completion gate', () => {
  it('keeps the run going if it throws, and aborts with the run', async () => {
    const broken = { name: 'mine', maxReminders: 0, check: () => Promise.reject(new Error('out of order')) };
    expect(await play(['Done.'], broken)).toMatchObject({
      stopReason: 'error',
      error: { message: expect.stringContaining('out of order') },
    });
    const controller = new AbortController();
    const slow = {
      name: 'slow',
      check: () => {
        controller.abort();
        return new Promise<undefined>(() => {});
      },
    };
    expect(await play(['Done.'], slow, { signal: controller.signal })).toMatchObject({ stopReason: 'aborted' });
    await expect(play(['Done.'], { name: 'mine' } as never)).rejects.toThrow(
      'completion.check is missing (expected a function)',
    );
  });
});
