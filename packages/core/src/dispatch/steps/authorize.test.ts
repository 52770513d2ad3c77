import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ToolResult } from '../../contracts/results/result.ts';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import type { PermissionEngine, PermissionRequest } from '../../contracts/permission/permission.ts';
import type { ToolTraits } from '../../contracts/permission/traits.ts';
import { allowAll } from '../../workspace/permission-engines.ts';
import { createWorkspace } from '../../workspace/create-workspace.ts';
import { defineTool, eraseTool } from '../../define/define-tool.ts';
import { renderForModel } from '../../results/render-for-model.ts';
import { fromStoredResult, toStoredResult } from '../../results/stored-result.ts';
import { createDispatcher } from '../dispatcher.ts';
import { body, code, echo, run, write } from '../../fixtures/run-call.ts';

describe('authorize', () => {
  it('requests permission for the final arguments, and passes the whole denial to the model', async () => {
    const asked: unknown[] = [];
    const { result } = await run("{'path':'a'}", [write], {
      permission: {
        ask: async (request) => {
          asked.push([request.tool, request.arguments, request.kind, request.footprint.writes]);
          return { action: 'deny', denial: { source: 'rule', reason: 'notes are frozen', hint: 'Use the wiki.' } };
        },
      },
    });
    expect(asked).toEqual([['write_note', { path: 'a' }, 'edit', ['*']]]);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'PERMISSION_DENIED', fault: 'policy', denial: { source: 'rule' } },
    });
    expect(renderForModel(result)).toMatch(/notes are frozen[\s\S]*Use the wiki\./);
  });

  it('names the session of the call, or the run if the call has no session', async () => {
    const named: string[] = [];
    const permission: PermissionEngine = { ask: ({ sessionId }) => (named.push(sessionId), { action: 'allow' }) };
    const tools = createDispatcher({ registry: [echo], permission });
    for (const context of [{ sessionId: 's', runId: 'r' }, { runId: 'r' }, {}])
      await tools.dispatch({ id: '1', name: 'echo', arguments: { text: 'a' } }, context);
    expect(named).toEqual(['s', 'r', '']);
  });

  it('denies tools with side effects by default', async () => {
    const dispatcher = createDispatcher({ registry: [echo, write] });
    expect(await dispatcher.dispatch({ id: '1', name: 'echo', arguments: { text: 'a' } })).toMatchObject({ ok: true });
    const denied = await dispatcher.dispatch({ id: '2', name: 'write_note', arguments: { path: 'a' } });
    expect(denied).toMatchObject({ error: { denial: { source: 'no-approver' } } });
    expect(denied).toMatchObject({
      error: {
        message:
          'write_note was not allowed: write_note may change something, and no permission engine can approve it' +
          ' (pass `permission: allowAll` or createPermissionEngine of @haft/permission)',
      },
    });
    const forModel = [
      'Error PERMISSION_DENIED: write_note was not allowed: write_note may change something, and no permission engine can approve it',
      'Use read-only tools, or tell the user what you would have done.',
    ].join('\n');
    expect(renderForModel(denied)).toBe(forModel);
    expect(renderForModel(fromStoredResult(await toStoredResult(denied)))).toBe(forModel);
  });

  it('denies tools that need approval by default, even if they are read-only', async () => {
    const look = defineTool({
      name: 'read_payroll',
      description: 'Reads the payroll.',
      traits: { readOnly: true, needsApproval: true },
      execute: () => 'secret',
    });
    const denied = await createDispatcher({ registry: [look] }).dispatch({
      id: '1',
      name: 'read_payroll',
      arguments: {},
    });
    expect(denied).toMatchObject({
      error: { denial: { source: 'no-approver', reason: expect.stringContaining('needs the approval of a person') } },
    });
    const allowed = createDispatcher({ registry: [look], permission: allowAll });
    expect(await allowed.dispatch({ id: '1', name: 'read_payroll', arguments: {} })).toMatchObject({ ok: true });
  });

  it('denies read-only tools that reach the open world by default, and explains how to allow them', async () => {
    const reaching = (traits: Partial<ToolTraits>): AnyTool =>
      eraseTool(
        defineTool({
          name: 'look_up',
          description: 'Looks something up.',
          input: { type: 'object' },
          traits: { readOnly: true, ...traits },
          execute: () => 'found',
        }),
      );
    const answer = async (traits: Partial<ToolTraits>): Promise<ToolResult> =>
      await createDispatcher({ registry: [reaching(traits)] }).dispatch({ id: '1', name: 'look_up', arguments: {} });
    for (const traits of [{ openWorld: true }, { requires: ['network'] }, { sideEffects: 'external' }] as const) {
      const denied = await answer(traits);
      expect(denied).toMatchObject({ error: { code: 'PERMISSION_DENIED', denial: { source: 'no-approver' } } });
      expect(denied).toMatchObject({
        error: {
          message: expect.stringContaining(
            "createPermissionEngine({ mode: 'read-only', rules: [{ action: 'allow', tool: 'look_up' }] })",
          ),
        },
      });
      expect(renderForModel(denied)).toBe(
        'Error PERMISSION_DENIED: look_up was not allowed: look_up reaches the open world and could leak data there, and no permission engine can approve it\n' +
          'Continue without it, or tell the user what you would have looked up, and where.',
      );
    }
    for (const traits of [{}, { openWorld: false, requires: ['network'] }] as const)
      expect(await answer(traits)).toMatchObject({ ok: true });
  });

  it('never treats a failing engine as a denial', async () => {
    const engines = [
      {
        ask: () => {
          throw new Error('db down');
        },
      },
      { ask: async () => Promise.reject(new Error('db down')) },
      { ask: () => 'yes' as never },
      { ask: () => ({ action: 'deny' }) as never },
    ];
    for (const permission of engines)
      expect(code(await run({ text: 'a' }, [echo], { permission }))).toBe('PERMISSION_ENGINE_FAILED');
  });

  it('excludes the time of a permission prompt from the duration of the tool', async () => {
    let time = 1_000;
    const workspace = createWorkspace({ cwd: '/', now: () => time });
    const permission = { ask: async () => ((time += 60_000), { action: 'allow' } as const) };
    const { result, events } = await run({}, [body(() => ((time += 7), 'x'))], { workspace, permission });
    expect([result.startedAt, result.durationMs]).toEqual([61_000, 7]);
    expect(events.at(-1)!.duration).toBe(60_007);
  });

  it('times out if a permission request is never answered', async () => {
    const outcome = await run({ text: 'a' }, [echo], {
      permission: { ask: () => new Promise(() => undefined) },
      permissionTimeoutMs: 5,
    });
    expect(outcome.result).toMatchObject({ error: { code: 'PERMISSION_DENIED', denial: { source: 'no-approver' } } });
  });

  it('starts the time limit again when the question is shown, and bounds the wait behind other questions', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const requests: PermissionRequest[] = [];
    const permission: PermissionEngine = {
      ask(request) {
        // The first question is shown at once; the second one waits behind another.
        request.setQuestionsAhead?.(requests.push(request) - 1);
        return new Promise(() => undefined);
      },
    };
    const tools = createDispatcher({ registry: [echo], permission, permissionTimeoutMs: 1_000 });
    const ended: string[] = [];
    for (const id of ['shown', 'waiting', 'late'])
      void tools
        .dispatch({ id, name: 'echo', arguments: { text: 'a' } })
        .then((result) => ended.push(result.ok ? 'ok' : result.error.code));
    requests[2]!.setQuestionsAhead?.(1);
    await vi.advanceTimersByTimeAsync(1_001);
    expect(ended).toEqual(['PERMISSION_DENIED']);
    await vi.advanceTimersByTimeAsync(498);
    requests[1]!.setQuestionsAhead?.(0);
    await vi.advanceTimersByTimeAsync(998);
    expect(ended).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(4);
    expect(ended).toHaveLength(3);
    // Too late: the call has ended.
    requests[1]!.setQuestionsAhead?.(3);
    expect(vi.getTimerCount()).toBe(0);
  });
});
