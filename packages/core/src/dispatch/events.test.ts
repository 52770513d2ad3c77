import { describe, expect, it } from 'vitest';
import type { AnyTool } from '../contracts/tools/tool.ts';
import { defineTool } from '../define/define-tool.ts';
import { toolError } from '../results/tool-error.ts';
import { body, echo, run } from '../fixtures/run-call.ts';
import { createWorkspace } from '../workspace/create-workspace.ts';
import { silentLogger } from '../contracts/workspace/session.ts';
import type { ToolEvent } from '../events/tool-event.ts';

const login = defineTool({
  name: 'login',
  description: 'd',
  kind: 'read',
  input: {
    type: 'object',
    properties: {
      user: { type: 'string' },
      password: { type: 'string' },
      pins: { type: 'array', items: { type: 'integer' } },
    },
    additionalProperties: false,
  },
  execute: () => 'welcome',
}) as AnyTool;

describe('events', () => {
  it.each([
    ['arguments that are JSON', '{"user": "u", "password": "hunter2-secret"}'],
    ['arguments that were repaired', '{user: "u", password: "hunter2-secret",}'],
    ['arguments that were cut', '{"user": "u", "password": "hunter2-secr'],
    ['arguments that were coerced', { user: 5, password: 'hunter2-secret' }],
    ['a secret that was coerced', '{"user": "u", "password": 48151623}'],
    ['a secret that does not fit', { user: 'u', password: { is: 'hunter2-secret' } }],
    ['a secret in a list that does not fit', { user: 'u', password: ['hunter2-secret'] }],
    ['arguments that are no JSON', 'password: hunter2-secret ]]]'],
  ])('contain no secret of %s in any of their members', async (_, args) => {
    const { events, result } = await run(args, [login]);
    expect(events.length).toBe(2);
    for (const event of events) {
      const shown = [event, event.data.args, event.data.result, event.error].map((part) => JSON.stringify(part) ?? '');
      expect(shown.join('\n')).not.toMatch(/hunter2|48151623/);
    }
    expect(JSON.stringify(events[0])).toContain('[redacted]');
    // The caller gets the unmasked result.
    if (result.arguments) expect(JSON.stringify(result.arguments)).toMatch(/hunter2|48151623/);
  });

  it('show the issues of arguments that hold no secret', async () => {
    const { events } = await run({ user: 'u', pins: ['one'] }, [login]);
    expect(events[1]!.error).toMatchObject({
      code: 'INVALID_ARGS',
      issues: [{ path: '$.pins[0]', received: 'string "one"' }],
    });
  });

  it('mask secrets in error messages, and keep the cause for the operator', async () => {
    const cause = new Error('x');
    const failing = body(() => {
      throw toolError('REMOTE_ERROR', 'curl failed: Authorization: Bearer abcdefghijkl', { cause });
    });
    const { events, result } = await run({}, [failing]);
    expect(events[1]!.error).toMatchObject({
      code: 'REMOTE_ERROR',
      message: 'curl failed: Authorization: [redacted]',
      cause,
    });
    expect(events[1]!.data.result).toMatchObject({ error: { message: 'curl failed: Authorization: [redacted]' } });
    expect(result).toMatchObject({ error: { message: 'curl failed: Authorization: Bearer abcdefghijkl' } });
  });

  it('serialize as plain data, and only the last event has the result', async () => {
    const { events } = await run({ user: 'u' }, [login]);
    const [start, end] = JSON.parse(JSON.stringify(events)) as { data: object }[];
    expect(start!.data).toEqual({
      callId: 'c1',
      name: 'login',
      sessionId: '',
      runId: '',
      turn: 0,
      messageId: '',
      inferenceId: '',
      args: { user: 'u' },
    });
    expect(end).toMatchObject({ action: 'execute_end', data: { args: { user: 'u' }, result: { ok: true } } });
  });

  it('have one version and the IDs that relate them: inference, turn, run, session', async () => {
    const ids = { sessionId: 's', runId: 'r', turn: 3, messageId: 'm', inferenceId: 'i' };
    const speaking = body((_, context) => {
      context.progress('half');
      throw new Error('x');
    });
    const { events } = await run({}, [speaking], {}, ids);
    expect(events.map(({ layer, version, action }) => [layer, version, action])).toEqual([
      ['tool', 1, 'execute_start'],
      ['tool', 1, 'execute_progress'],
      ['tool', 1, 'execute_end'],
    ]);
    for (const { data } of events) expect(data).toMatchObject({ ...ids, callId: 'c1' });
  });

  it('have members that depend on their action', async () => {
    const { events } = await run({ text: 'a' }, [echo]);
    const summarize = (event: ToolEvent): unknown => {
      if (event.action === 'execute_start') return event.data.args;
      if (event.action === 'execute_progress') return event.data.progress.message;
      return event.action === 'execute_end' ? event.data.result.ok : event.error.code;
    };
    const shown = events.map(summarize);
    expect(shown).toEqual([{ text: 'a' }, true]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk full'))],
  ] as const)('reach an observer that %s, and only its first failure is logged', async (_, observer) => {
    const said: unknown[] = [];
    let calls = 0;
    const workspace = createWorkspace({
      cwd: '/',
      logger: { ...silentLogger, error: (message, data) => void said.push([message, data]) },
    });
    const failing = (): never => {
      calls += 1;
      return observer() as never;
    };
    const speaking = body((_args, context) => context.progress('half'));
    const { result } = await run({}, [speaking], { observer: failing, workspace });
    await new Promise((resolve) => setImmediate(resolve));
    expect([result.ok, calls]).toEqual([true, 3]);
    expect(said).toEqual([[expect.stringContaining('an observer of tool calls throws'), { reason: 'disk full' }]]);
  });

  it('do not fail if the logger fails', async () => {
    const logger = {
      ...silentLogger,
      error: () => {
        throw new Error('no logger');
      },
    };
    const failing = (): never => {
      throw new Error('x');
    };
    const outcome = await run({ text: 'a' }, [echo], {
      observer: failing,
      workspace: createWorkspace({ cwd: '/', logger }),
    });
    expect(outcome.result.ok).toBe(true);
  });
});
