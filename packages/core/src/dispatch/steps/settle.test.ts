import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import { defineTool } from '../../define/define-tool.ts';
import { renderForModel } from '../../results/render-for-model.ts';
import { body, code, run } from '../../fixtures/run-call.ts';

describe('settle', () => {
  it('converts return values by their type', async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1]);
    const resource = { uri: 'note:1', name: 'one', type: 'text/plain', read: () => 'x' };
    const content = async (value: unknown) => (await run({}, [body(() => value)])).result.content;
    expect(await content(undefined)).toEqual([]);
    expect(await content('t')).toEqual([{ type: 'text', text: 't' }]);
    expect(await content(png)).toEqual([{ type: 'image', mediaType: 'image/png', data: png }]);
    expect(await content({ a: 1 })).toEqual([{ type: 'json', value: { a: 1 } }]);
    expect(await content([1, 2])).toEqual([{ type: 'json', value: [1, 2] }]);
    expect(await content({ type: 'text', text: 'x', extra: true })).toEqual([
      { type: 'json', value: { type: 'text', text: 'x', extra: true } },
    ]);
    expect(await content(resource)).toEqual([{ type: 'resource', resource }]);
    expect((await run({}, [body(() => ({ a: 1 }))])).result.structured).toEqual({ a: 1 });
  });

  it('validates structured results against the output schema', async () => {
    const make = (value: unknown): AnyTool =>
      defineTool({
        name: 'body',
        description: 'd',
        kind: 'read',
        input: { type: 'object' },
        output: z.object({ n: z.number() }),
        execute: () => value,
      });
    expect(code(await run({}, [make({ n: 1 })]))).toBe('ok');
    expect(code(await run({}, [make({ n: 'x' })]))).toBe('OUTPUT_INVALID');
  });

  it('cuts long text in the middle, between code points, and says where the rest is', async () => {
    const flood = body(() => '😀'.repeat(1_000));
    const { result } = await run({}, [flood], { maxResultCharacters: 101, spill: async () => 'spill/1.txt' });
    const text = renderForModel(result);
    expect(text.length).toBeLessThan(250);
    expect(text).toContain('spill/1.txt');
    expect(text.isWellFormed()).toBe(true);
  });
});
