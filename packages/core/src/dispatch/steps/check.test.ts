import { describe, expect, it } from 'vitest';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import { renderForModel } from '../../results/render-for-model.ts';
import { body, code, run } from '../../fixtures/run-call.ts';

const issue = {
  path: '$.path',
  code: 'custom' as const,
  expected: 'a file inside the project',
  received: 'string "/etc"',
  message: '$.path leaves the project; expected a file inside it, such as "src/a.ts".',
};

/** Creates a tool with a check and records the steps that run. */
function createScene(check: AnyTool['check']) {
  const seen: string[] = [];
  const tool = body(() => void seen.push('ran'), { check: check! });
  const permission = { ask: () => (seen.push('asked'), { action: 'allow' as const }) };
  return { seen, call: (args: unknown, context = {}) => run(args, [tool], { permission }, context) };
}

describe('the check of a tool', () => {
  it('prevents the permission request and the body, and reports the issues to the model', async () => {
    const { seen, call } = createScene(() => [issue]);
    const outcome = await call({ path: '/etc' });
    expect([code(outcome), seen]).toEqual(['INVALID_ARGS', []]);
    expect(renderForModel(outcome.result)).toContain(
      '$.path: expected a file inside the project, received string "/etc"',
    );
    expect(outcome.result).toMatchObject({ error: { fault: 'model', issues: [issue] } });
  });

  it('allows a call without issues, also asynchronously', async () => {
    for (const answer of [[], undefined, Promise.resolve([])]) {
      const { seen, call } = createScene(() => answer as never);
      expect(code(await call({}))).toBe('ok');
      expect(seen).toEqual(['asked', 'ran']);
    }
  });

  it('receives the validated arguments and cannot change them', async () => {
    let seen: unknown;
    const tool = body((args) => args, {
      check: (args) => {
        seen = args;
        (args as Record<string, unknown>)['path'] = 'other';
        return [];
      },
    });
    expect(code(await run('{path: "a",}', [tool]))).toBe('EXECUTION_ERROR');
    expect(seen).toEqual({ path: 'a' });
  });

  it('causes a host fault if it fails', async () => {
    const fail = [
      () => {
        throw new Error('x');
      },
      () => Promise.reject(new Error('x')),
      () => 'no issues' as never,
      () => [{ path: 5 }] as never,
    ];
    for (const check of fail) {
      const { seen, call } = createScene(check);
      expect((await call({})).result).toMatchObject({ error: { code: 'EXECUTION_ERROR', fault: 'host' } });
      expect(seen).toEqual([]);
    }
  });

  it('is stopped by the timeout of the tool or of the call, and by a cancellation', async () => {
    const never = body(() => 'x', { check: () => new Promise(() => undefined), timeoutMs: 5 });
    expect(code(await run({}, [never]))).toBe('TIMEOUT');
    const patient = body(() => 'x', { check: () => new Promise(() => undefined) });
    expect(code(await run({}, [patient], {}, { timeoutMs: 5 }))).toBe('TIMEOUT');
    const controller = new AbortController();
    const { call } = createScene(() => (queueMicrotask(() => controller.abort()), new Promise(() => undefined)));
    expect(code(await call({}, { signal: controller.signal }))).toBe('ABORTED');
  });
});
