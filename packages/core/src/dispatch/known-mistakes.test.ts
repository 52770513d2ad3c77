import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AnyTool } from '../contracts/tools/tool.ts';
import { createWorkspace } from '../workspace/create-workspace.ts';
import { defineTool, eraseTool } from '../define/define-tool.ts';
import { body, code, echo, run, write } from '../fixtures/run-call.ts';
import { allowAll } from '../workspace/permission-engines.ts';
import { combineSources } from '../sources/combine-sources.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { renderForModel } from '../results/render-for-model.ts';
import { toolError } from '../results/tool-error.ts';
import { failure, success } from '../results/tool-result.ts';
import { createDispatcher } from './dispatcher.ts';

/** Creates a tool that records the arguments it receives. */
function createWriter() {
  const written: unknown[] = [];
  const tool = eraseTool(
    defineTool({
      name: 'write_file',
      description: 'Writes.',
      kind: 'edit',
      input: z.strictObject({ path: z.string(), body: z.string() }),
      execute: (args) => void written.push(args),
    }),
  );
  return { tool, written };
}

/** Mistakes of earlier systems, identified by their codes. */
describe('regressions of earlier systems', () => {
  it('B1: leaves a comma before a brace inside a string unchanged', async () => {
    const { result } = await run(String.raw`{"text":"x,}",}`, [echo]);
    expect(renderForModel(result)).toBe('x,}');
  });

  it('B2: extracts the outer call when prose surrounds nested arguments', async () => {
    const nested = body((args) => args);
    const { result } = await run('Here you are: {"a":{"b":1}} done', [nested]);
    expect(result.structured).toEqual({ a: { b: 1 } });
  });

  it('B3: emits events for a call with unreadable arguments', async () => {
    const outcome = await run('}{ not json', [echo]);
    expect([code(outcome), outcome.actions]).toEqual(['INVALID_JSON', ['execute_start', 'execute_end']]);
  });

  it('B4: sends an advisory to the model, even with structured data', async () => {
    const noted = body((_, { callId }) =>
      success(callId, { type: 'json', value: { a: 1 } }, { structured: { a: 1 }, advisories: ['read it again'] }),
    );
    expect(renderForModel((await run({}, [noted])).result)).toBe('{"a":1}\nNote: read it again');
  });

  it('B5: validates a union of objects without side effects', async () => {
    const input = { type: 'object', properties: { at: { enum: [{ x: 1 }, [2], null] } }, required: ['at'] } as const;
    const choosing = eraseTool(
      defineTool({ name: 'choose', description: 'd', kind: 'read', input, execute: () => 'ok' }),
    );
    expect(code(await run({ at: { x: 1 } }, [choosing]))).toBe('ok');
    expect(code(await run({ at: { x: 2 } }, [choosing]))).toBe('INVALID_ARGS');
  });

  it('B11: uses the last of two tools with one name, and restores the first when the last is removed', async () => {
    const first = body(() => 'first');
    const second = body(() => 'second');
    const registry = new ToolRegistry({ tools: [first] });
    registry.registerWithProvider(second, 'dynamic/plugin/a');
    const source = createDispatcher({ registry });
    const call = async (): Promise<string> =>
      renderForModel(await source.dispatch({ id: '1', name: 'body', arguments: {} }));
    expect([await call(), registry.shadows()]).toEqual([
      'second',
      [{ name: 'body', hidden: 'local', by: 'dynamic/plugin/a' }],
    ]);
    registry.clear('dynamic');
    expect(await call()).toBe('first');
  });

  it('B17: resolves a name shared by two sources to the same tool every time', async () => {
    const make = (text: string) => createDispatcher({ registry: [body(() => text)] });
    const source = combineSources(make('one'), make('two'));
    for (let times = 0; times < 20; times += 1) {
      const result = await source.dispatch({ id: '1', name: 'body', arguments: {} });
      expect(renderForModel(result)).toBe('one');
    }
    expect(source.shadows()).toEqual([{ name: 'body', hidden: 1, by: 0 }]);
  });

  it('B18: never passes invalid arguments to the body', async () => {
    const { tool, written } = createWriter();
    const source = createDispatcher({ registry: [tool], permission: allowAll });
    const call = { id: '1', name: 'write_file', arguments: { path: 5.5, body: ['x', {}] } };
    const results = [await source.dispatch(call), ...(await source.dispatchBatch([call]))];
    results.push(await combineSources(source).dispatch(call));
    expect(results.map((result) => !result.ok && result.error.code)).toEqual(Array(3).fill('INVALID_ARGS'));
    expect(written).toEqual([]);
  });

  it('B20: shows the output of a failing tool to the model, not only its code', async () => {
    const failing = body((_, { callId }) =>
      failure(callId, toolError('EXIT_CODE', 'tsc exited with code 2', { hint: 'Read the output.' }), {
        content: 'a.ts:1 error TS1005',
      }),
    );
    const text = renderForModel((await run({}, [failing])).result);
    expect(text).toContain('EXIT_CODE: tsc exited with code 2');
    expect(text).toContain('a.ts:1 error TS1005');
    expect(text).toContain('Read the output.');
  });

  it('B21: passes the writable roots and the deadline to the body', async () => {
    let received: unknown;
    const looking = body((_, { writeRoots, cwd, deadline }) => {
      received = [writeRoots, cwd, deadline - 5];
    });
    const workspace = createWorkspace({ cwd: '/project', writeRoots: ['/project/src'], now: () => 5 });
    await run({}, [{ ...looking, timeoutMs: 700 }], { workspace });
    expect(received).toEqual([['/project/src'], '/project', 700]);
  });

  it.each(['continue', 'skip', 'stop'] as const)(
    'B22: returns a result for every call of a turn after a denial (%s)',
    async (onDenied) => {
      const source = createDispatcher({
        registry: [write],
        permission: {
          ask: ({ callId }) =>
            callId === '0' ? { action: 'deny', denial: { source: 'person', reason: 'no' } } : { action: 'allow' },
        },
      });
      const calls = ['0', '1', '2'].map((id) => ({ id, name: 'write_note', arguments: { path: id } }));
      const results = await source.dispatchBatch(calls, { onDenied });
      expect(results.map(({ callId }) => callId)).toEqual(['0', '1', '2']);
      const after = onDenied === 'continue' ? 'ok' : 'SKIPPED';
      expect(results.map((result) => (result.ok ? 'ok' : result.error.code))).toEqual([
        'PERMISSION_DENIED',
        after,
        after,
      ]);
    },
  );

  it('B23: runs the next call after a call was cancelled', async () => {
    const source = createDispatcher({ registry: [echo] });
    const call = { id: '1', name: 'echo', arguments: { text: 'a' } };
    expect(await source.dispatch(call, { signal: AbortSignal.abort() })).toMatchObject({ error: { code: 'ABORTED' } });
    expect(await source.dispatch(call)).toMatchObject({ ok: true });
  });

  it('B25: matches an argument by its own name, and rejects 5.5 as an integer', async () => {
    const input = { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false } as const;
    const counting = eraseTool(
      defineTool({ name: 'count', description: 'd', kind: 'read', input, execute: () => 'ok' }),
    );
    const outcomes: readonly unknown[] = [
      { ['constructor']: 1 },
      '{"__proto__": {"x": 1}, "n": 1}',
      { ['toString']: 1 },
      { n: 5.5 },
      { n: 5 },
      { n: '7' },
    ];
    const codes: string[] = [];
    for (const args of outcomes) codes.push(code(await run(args, [counting])));
    expect(codes).toEqual(['INVALID_ARGS', 'INVALID_ARGS', 'INVALID_ARGS', 'INVALID_ARGS', 'ok', 'ok']);
  });

  it.each(['{"path":"a.ts","body":"const a = 1', '{"path":"a.ts","body":"x"', '{"path":"a.ts","body":', '{"path":"a'])(
    'B29: does not complete and write a truncated payload (%s)',
    async (args) => {
      const { tool, written } = createWriter();
      for (const stopped of ['stop', 'length', undefined] as const) {
        const source = createDispatcher({ registry: [tool], permission: allowAll });
        const call = { id: '1', name: 'write_file', arguments: args };
        const result = await source.dispatch(stopped === undefined ? call : { ...call, stopped });
        expect(result).toMatchObject({ ok: false, error: { code: 'TRUNCATED_ARGS' } });
      }
      expect(written).toEqual([]);
    },
  );

  it('B30: treats a description as text, whatever its content', async () => {
    const description = 'Says {{ .Secret }} ${process.exit(1)} <%= 1 %>';
    const tool: AnyTool = eraseTool(defineTool({ name: 'say', description, execute: () => undefined }));
    const shown = await new ToolRegistry({ tools: [tool] }).visibleTo({ name: 'm' });
    expect(shown.get('say')?.description).toBe(description);
  });
});
