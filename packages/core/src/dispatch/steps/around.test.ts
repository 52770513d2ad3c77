import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ToolResult } from '../../contracts/results/result.ts';
import { defineTool } from '../../define/define-tool.ts';
import { body, code, echo, run } from '../../fixtures/run-call.ts';

describe('middleware', () => {
  it('rewrites arguments before the permission check, validates them again, and wraps the body afterwards', async () => {
    const seen: string[] = [];
    const outcome = await run({ text: 'a' }, [echo], {
      permission: { ask: (request) => (seen.push(`ask ${JSON.stringify(request.arguments)}`), { action: 'allow' }) },
      middleware: [
        { name: 'double', prepare: ({ arguments: args }) => ({ arguments: { ...(args as object), times: 2 } }) },
        {
          name: 'outer',
          around: async (_, next) => {
            seen.push('outer in');
            const result = await next();
            seen.push('outer out');
            return result;
          },
        },
        {
          name: 'inner',
          around: async (_, next) => {
            seen.push('inner');
            await next();
            return next();
          },
        },
      ],
    });
    expect(outcome.result.content).toEqual([{ type: 'text', text: 'aa' }]);
    expect(seen).toEqual(['ask {"text":"a","times":2}', 'outer in', 'inner', 'outer out']);
    const spoiled = await run({ text: 'a' }, [echo], {
      middleware: [{ name: 'spoil', prepare: () => ({ arguments: { text: {} } }) }],
    });
    expect(code(spoiled)).toBe('INVALID_ARGS');
    const breaking = await run({ text: 'a' }, [echo], {
      middleware: [{ name: 'break', around: () => Promise.reject(new Error('x')) }],
    });
    expect(code(breaking)).toBe('EXECUTION_ERROR');
  });

  it('times out middleware and schemas that never settle', async () => {
    const never = new Promise<never>(() => undefined);
    const limits = { middlewareTimeoutMs: 5 };
    expect(
      code(await run({ text: 'a' }, [echo], { ...limits, middleware: [{ name: 'm', prepare: () => never }] })),
    ).toBe('TIMEOUT');
    const hanging = [{ name: 'm', around: () => never }];
    expect(code(await run({ text: 'a' }, [echo], { ...limits, middleware: hanging }, { timeoutMs: 5 }))).toBe(
      'TIMEOUT',
    );
    const controller = new AbortController();
    const aborting = [{ name: 'm', around: () => (queueMicrotask(() => controller.abort()), never) }];
    expect(code(await run({ text: 'a' }, [echo], { middleware: aborting }, { signal: controller.signal }))).toBe(
      'ABORTED',
    );
    const slow = defineTool({
      name: 'slow',
      description: 'd',
      timeoutMs: 5,
      input: z.object({ a: z.string().refine(() => never) }),
      execute: () => 'x',
    });
    expect(code(await run({ a: 'x' }, [slow]))).toBe('TIMEOUT');
  });

  it('never starts a body after its call has a result', async () => {
    let ran = false;
    let enter: (() => void) | undefined;
    const waiting = {
      name: 'm',
      around: (_: unknown, next: () => Promise<never>) =>
        new Promise<never>((resolve) => {
          enter = () => resolve(next());
        }),
    };
    const outcome = await run(
      {},
      [
        body(() => {
          ran = true;
        }),
      ],
      { middlewareTimeoutMs: 5, middleware: [waiting] },
      { timeoutMs: 5 },
    );
    enter!();
    await Promise.resolve();
    expect([code(outcome), ran]).toEqual(['TIMEOUT', false]);
  });

  it('passes a failure on with each note of the dispatcher once, and cuts its text once', async () => {
    const failing = body(() => Promise.reject(new Error('x'.repeat(500))));
    const pass = (name: string) => ({ name, around: (_: unknown, next: () => Promise<ToolResult>) => next() });
    const { result } = await run('{"text": "a"', [failing], {
      maxResultCharacters: 100,
      middleware: [pass('outer'), pass('inner')],
    });
    if (result.ok) throw new Error('the body did not fail');
    expect(new Set(result.advisories).size).toBe(result.advisories.length);
    expect(result.advisories.length).toBeGreaterThan(0);
    expect(result.error.message.match(/left out|omitted/g) ?? []).toHaveLength(1);
  });
});
