import { describe, expect, it } from 'vitest';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import { defineTool, eraseTool } from '../../define/define-tool.ts';
import { renderForModel } from '../../results/render-for-model.ts';
import { fromStoredResult, toStoredResult } from '../../results/stored-result.ts';
import { code, echo, run, write } from '../../fixtures/run-call.ts';

describe('validate', () => {
  it('coerces values to match the schema and reports the coercions', async () => {
    const { result } = await run({ text: 'a', times: '3' });
    expect(result).toMatchObject({
      ok: true,
      content: [{ text: 'aaa' }],
      arguments: { coercions: [{ path: '$.times', to: 3 }] },
    });
  });

  it('rejects invalid arguments with every issue, and does not run the body', async () => {
    const { result } = await run({ txt: 5 });
    expect(result).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS', fault: 'model' } });
    const text = renderForModel(result);
    expect(text).toContain('$.text');
    expect(text).toContain('txt');
  });

  it('ends with the timeout of the call', async () => {
    const input = { ...echo.input, validate: () => new Promise<never>(() => undefined) };
    expect(code(await run({ text: 'a' }, [{ ...echo, input }], {}, { timeoutMs: 5 }))).toBe('TIMEOUT');
  });

  it('fills in the preferred values of the user and reports them', async () => {
    const preferring: AnyTool = { ...echo, preference: { overrides: { times: 2 } } } as AnyTool;
    expect((await run({ text: 'a' }, [preferring])).result).toMatchObject({
      content: [{ text: 'aa' }],
      arguments: { coercions: [{ code: 'preference', path: '$.times', to: 2 }] },
    });
    expect((await run({ text: 'a', times: 1 }, [preferring])).result.content).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('fills in no preferred value for an argument that the model sent under an alias or in another spelling', async () => {
    const input = { type: 'object', properties: { max_items: { type: 'integer' } } } as const;
    const list = eraseTool(
      defineTool({
        name: 'list',
        description: 'Lists.',
        kind: 'read',
        input,
        aliases: { max_items: ['limit'] },
        execute: (args) => JSON.stringify(args),
      }),
    );
    const preferring: AnyTool = { ...list, preference: { overrides: { max_items: 9 } } };
    for (const [args, value] of [
      [{}, 9],
      [{ limit: 2 }, 2],
      [{ maxItems: 3 }, 3],
      [{ max_items: 4 }, 4],
    ] as const)
      expect((await run(args, [preferring])).result.content).toEqual([
        { type: 'text', text: `{"max_items":${value}}` },
      ]);
  });

  it('does not pollute prototypes', async () => {
    const { result } = await run('{"__proto__": {"polluted": true}, "text": "a"}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(result.ok).toBe(false);
  });

  it("runs the tool's own check after the schema and before the permission check", async () => {
    const order: string[] = [];
    const issue = {
      path: '$.path',
      code: 'custom',
      expected: 'a path that exists',
      received: '"a"',
      message: 'no such file',
    };
    const checked: AnyTool = { ...write, check: () => (order.push('check'), [issue]) } as AnyTool;
    const { result } = await run({ path: 'a' }, [checked], {
      permission: { ask: () => (order.push('ask'), { action: 'allow' }) },
    });
    expect([order, result]).toMatchObject([['check'], { error: { code: 'INVALID_ARGS', issues: [issue] } }]);
    const broken: AnyTool = {
      ...write,
      check: () => {
        throw new Error('x');
      },
    } as AnyTool;
    expect(code(await run({ path: 'a' }, [broken]))).toBe('EXECUTION_ERROR');
  });
});

describe('the language of issues', () => {
  it('is that of the dispatcher, and travels with a stored result', async () => {
    const english = await run({ text: 5 });
    const chinese = await run({ text: 5 }, undefined, { locale: 'zh' });
    expect(renderForModel(english.result)).toContain('$.text: expected string, received number 5');
    expect(renderForModel(chinese.result)).toContain('应为');
    const stored = fromStoredResult(JSON.parse(JSON.stringify(await toStoredResult(chinese.result))));
    expect(renderForModel(stored)).toBe(renderForModel(chinese.result));
    expect((await run({ text: 'a' }, undefined, { locale: 'zh' })).result).toMatchObject({ ok: true });
  });
});
