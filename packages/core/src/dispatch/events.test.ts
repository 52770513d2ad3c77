import { describe, expect, it } from 'vitest';
import type { AnyTool } from '../contracts/tool.ts';
import { defineTool } from '../define-tool.ts';
import { toolError } from '../results/tool-error.ts';
import { body, run } from '../fixtures/run-call.ts';

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
  ])('show no secret of %s, in any of their members', async (_, args) => {
    const { events, result } = await run(args, [login]);
    expect(events.length).toBe(2);
    for (const event of events) {
      const shown = [event, event.data.args, event.data.result, event.error].map((part) => JSON.stringify(part) ?? '');
      expect(shown.join('\n')).not.toMatch(/hunter2|48151623/);
    }
    expect(JSON.stringify(events[0])).toContain('[redacted]');
    // The caller gets it as it is.
    if (result.arguments) expect(JSON.stringify(result.arguments)).toMatch(/hunter2|48151623/);
  });

  it('show what was wrong with the rest', async () => {
    const { events } = await run({ user: 'u', pins: ['one'] }, [login]);
    expect(events[1]!.error).toMatchObject({
      code: 'INVALID_ARGS',
      issues: [{ path: '$.pins[0]', received: 'string "one"' }],
    });
  });

  it('show a failure without the secrets in its message, and with its cause for the operator', async () => {
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

  it('are plain data when written, with the result on the last one only', async () => {
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
});
