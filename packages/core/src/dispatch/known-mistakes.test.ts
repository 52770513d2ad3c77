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

/** A writer that keeps what it was given. */
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

/** Mistakes that earlier systems made, by the letter under which they are known. */
describe('a known mistake is not made again', () => {
  it('B1: a comma before a brace inside a string stays where it is', async () => {
    const { result } = await run(String.raw`{"text":"x,}",}`, [echo]);
    expect(renderForModel(result)).toBe('x,}');
  });

  it('B2: prose around nested arguments does not leave the inner ones', async () => {
    const nested = body((args) => args);
    const { result } = await run('Here you are: {"a":{"b":1}} done', [nested]);
    expect(result.structured).toEqual({ a: { b: 1 } });
  });

  it('B3: a call whose arguments can not be read is told in events like any other', async () => {
    const outcome = await run('}{ not json', [echo]);
    expect([code(outcome), outcome.actions]).toEqual(['INVALID_JSON', ['execute_start', 'execute_end']]);
  });

  it('B4: an advisory reaches the model, also beside structured data', async () => {
    const noted = body((_, { callId }) =>
      success(callId, { type: 'json', value: { a: 1 } }, { structured: { a: 1 }, advisories: ['read it again'] }),
    );
    expect(renderForModel((await run({}, [noted])).result)).toBe('{"a":1}\nNote: read it again');
  });

  it('B5: a choice between objects is checked without harm', async () => {
    const input = { type: 'object', properties: { at: { enum: [{ x: 1 }, [2], null] } }, required: ['at'] } as const;
    const choosing = eraseTool(
      defineTool({ name: 'choose', description: 'd', kind: 'read', input, execute: () => 'ok' }),
    );
    expect(code(await run({ at: { x: 1 } }, [choosing]))).toBe('ok');
    expect(code(await run({ at: { x: 2 } }, [choosing]))).toBe('INVALID_ARGS');
  });

  it('B11: of two tools with one name the last wins, the other is known, and comes back', async () => {
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

  it('B17: a name that two sources have means the same one every time', async () => {
    const make = (text: string) => createDispatcher({ registry: [body(() => text)] });
    const source = combineSources(make('one'), make('two'));
    for (let times = 0; times < 20; times += 1) {
      const result = await source.dispatch({ id: '1', name: 'body', arguments: {} });
      expect(renderForModel(result)).toBe('one');
    }
    expect(source.shadows()).toEqual([{ name: 'body', hidden: 1, by: 0 }]);
  });

  it('B18: arguments that do not fit never reach the body, on no way to it', async () => {
    const { tool, written } = createWriter();
    const source = createDispatcher({ registry: [tool], permission: allowAll });
    const call = { id: '1', name: 'write_file', arguments: { path: 5.5, body: ['x', {}] } };
    const results = [await source.dispatch(call), ...(await source.dispatchBatch([call]))];
    results.push(await combineSources(source).dispatch(call));
    expect(results.map((result) => !result.ok && result.error.code)).toEqual(Array(3).fill('INVALID_ARGS'));
    expect(written).toEqual([]);
  });

  it('B20: the model reads what a failing tool printed, not its code alone', async () => {
    const failing = body((_, { callId }) =>
      failure(callId, toolError('EXIT_CODE', 'tsc ended with code 2', { hint: 'Read the output.' }), {
        content: 'a.ts:1 error TS1005',
      }),
    );
    const text = renderForModel((await run({}, [failing])).result);
    expect(text).toContain('EXIT_CODE: tsc ended with code 2');
    expect(text).toContain('a.ts:1 error TS1005');
    expect(text).toContain('Read the output.');
  });

  it('B21: a body is told the folders that may be written, and its deadline', async () => {
    let received: unknown;
    const looking = body((_, { writeRoots, cwd, deadline }) => {
      received = [writeRoots, cwd, deadline - 5];
    });
    const workspace = createWorkspace({ cwd: '/project', writeRoots: ['/project/src'], now: () => 5 });
    await run({}, [{ ...looking, timeoutMs: 700 }], { workspace });
    expect(received).toEqual([['/project/src'], '/project', 700]);
  });

  it.each(['continue', 'skip', 'stop'] as const)(
    'B22: a denial leaves no call of its turn without an answer (%s)',
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

  it('B23: a dispatcher whose call was cancelled serves the next', async () => {
    const source = createDispatcher({ registry: [echo] });
    const call = { id: '1', name: 'echo', arguments: { text: 'a' } };
    expect(await source.dispatch(call, { signal: AbortSignal.abort() })).toMatchObject({ error: { code: 'ABORTED' } });
    expect(await source.dispatch(call)).toMatchObject({ ok: true });
  });

  it('B25: an argument is known by its own name, and 5.5 is no integer', async () => {
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
    'B29: a payload that was cut is not completed and written (%s)',
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

  it('B30: a description is text, whatever it looks like', async () => {
    const description = 'Says {{ .Secret }} ${process.exit(1)} <%= 1 %>';
    const tool: AnyTool = eraseTool(defineTool({ name: 'say', description, execute: () => undefined }));
    const shown = await new ToolRegistry({ tools: [tool] }).visibleTo({ name: 'm' });
    expect(shown.get('say')?.description).toBe(description);
  });
});
