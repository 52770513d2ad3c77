import { describe, expect, it } from 'vitest';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import { renderForModel } from '../../results/render-for-model.ts';
import { toolError } from '../../results/tool-error.ts';
import { failure } from '../../results/tool-result.ts';
import { body, code, run } from '../../fixtures/run-call.ts';

describe('execute', () => {
  it('returns an error result for bodies that throw, reject or return an invalid value', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const cases: readonly (readonly [AnyTool['execute'], string])[] = [
      [
        () => {
          throw new Error('secret path /srv/x');
        },
        'EXECUTION_ERROR',
      ],
      [
        () => {
          throw 'text';
        },
        'EXECUTION_ERROR',
      ],
      [
        () => {
          throw undefined;
        },
        'EXECUTION_ERROR',
      ],
      [async () => Promise.reject(new Error('late')), 'EXECUTION_ERROR'],
      [() => cyclic, 'OUTPUT_INVALID'],
      [() => () => 1, 'OUTPUT_INVALID'],
      [() => 10n, 'OUTPUT_INVALID'],
      [() => new Map([['a', 1]]), 'OUTPUT_INVALID'],
      [() => ({ deep: { big: 10n } }), 'OUTPUT_INVALID'],
      [
        () => ({
          toJSON: () => {
            throw new Error('no');
          },
        }),
        'OUTPUT_INVALID',
      ],
      [() => ({ then: (_: unknown, no: (error: Error) => void) => no(new Error('thenable')) }), 'EXECUTION_ERROR'],
    ];
    for (const [execute, expected] of cases) {
      const outcome = await run({}, [body(execute)]);
      expect(code(outcome)).toBe(expected);
      expect(outcome.actions).toEqual(['execute_start', 'execute_end']);
      expect(renderForModel(outcome.result)).not.toContain('/srv/x');
    }
  });

  it('keeps the code and output of a failure that the body returns', async () => {
    const failing = body((_, { callId }) =>
      failure(callId, toolError('EXIT_CODE', 'exit 1', { details: { exitCode: 1 } }), { content: 'stderr text' }),
    );
    const { result } = await run({}, [failing]);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'EXIT_CODE', fault: 'world', retryable: false },
      content: [{ text: 'stderr text' }],
    });
    expect(renderForModel(result)).toContain('stderr text');
  });

  it('times out a body that never settles, aborts its signal and drops its later output', async () => {
    let signal: AbortSignal | undefined;
    let speak: ((value: string) => void) | undefined;
    const stuck = body((_, context) => {
      signal = context.signal;
      return new Promise((resolve) => {
        speak = resolve;
      });
    });
    const { result, actions, events } = await run({}, [stuck], {}, { timeoutMs: 5 });
    expect(result).toMatchObject({ ok: false, error: { code: 'TIMEOUT', fault: 'world' } });
    expect([signal!.aborted, (signal!.reason as Error).name]).toEqual([true, 'TimeoutError']);
    speak!('too late');
    expect([actions, events.length]).toEqual([['execute_start', 'execute_end'], 2]);
  });

  it('keeps the report of a body that ends within the grace period after a cancellation', async () => {
    const controller = new AbortController();
    const slow = body(
      (_, context) =>
        new Promise((resolve) => {
          context.signal.addEventListener('abort', () =>
            resolve(
              failure(context.callId, toolError('ABORTED', 'killed'), {
                content: 'half of the output',
                effects: [{ kind: 'process', command: 'make', background: false }],
              }),
            ),
          );
          queueMicrotask(() => controller.abort());
        }),
    );
    const { result, actions } = await run({}, [slow], {}, { signal: controller.signal });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'ABORTED', fault: 'cancelled' },
      content: [{ text: 'half of the output' }],
      effects: [{ command: 'make' }],
    });
    expect(actions).toEqual(['execute_start', 'execute_cancelled']);
  });

  it('does not run a call that was cancelled before it started or while it waited for permission', async () => {
    let ran = 0;
    const tool = body(() => (ran += 1));
    const before = await run({}, [tool], {}, { signal: AbortSignal.abort() });
    expect([code(before), before.actions]).toEqual(['ABORTED', ['execute_start', 'execute_cancelled']]);
    const controller = new AbortController();
    const asking = await run(
      {},
      [tool],
      { permission: { ask: () => new Promise(() => queueMicrotask(() => controller.abort())) } },
      { signal: controller.signal },
    );
    expect([code(asking), ran]).toEqual(['ABORTED', 0]);
  });
});
