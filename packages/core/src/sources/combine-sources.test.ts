import { describe, expect, it } from 'vitest';
import type { ToolSource } from '../contracts/calls/source.ts';
import type { AnyTool } from '../contracts/tools/tool.ts';
import { defineTool, eraseTool } from '../define/define-tool.ts';
import { createDispatcher } from '../dispatch/dispatcher.ts';
import { allowAll } from '../workspace/permission-engines.ts';
import { renderForModel } from '../results/render-for-model.ts';
import { combineSources } from './combine-sources.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';

const log: string[] = [];

function tool(name: string, says: string, file?: string): AnyTool {
  return eraseTool(
    defineTool({
      name,
      description: `Says ${says}.`,
      kind: file === undefined ? 'read' : 'edit',
      input: { type: 'object', properties: {} },
      ...(file === undefined ? {} : { footprint: () => ({ reads: [], writes: [file] }) }),
      execute: async () => {
        log.push(`begin ${says}`);
        await Promise.resolve();
        log.push(`end ${says}`);
        return says;
      },
    }),
  );
}

const source = (...tools: readonly AnyTool[]): ToolSource =>
  createDispatcher({ registry: tools, permission: allowAll });
const call = (name: string, id = name): { id: string; name: string; arguments: object } => ({
  id,
  name,
  arguments: {},
});
const say = async (from: ToolSource, name: string): Promise<string> => renderForModel(await from.dispatch(call(name)));

describe('combined sources', () => {
  it('have the tools of all sources, prefer the earlier source, and list the hidden tools', async () => {
    const combined = combineSources(source(tool('b', 'b of 0')), source(tool('b', 'b of 1'), tool('a', 'a of 1')));
    expect(combined.snapshot().names).toEqual(['a', 'b']);
    expect([await say(combined, 'a'), await say(combined, 'b')]).toEqual(['a of 1', 'b of 0']);
    expect(combined.shadows()).toEqual([{ name: 'b', hidden: 1, by: 0 }]);
  });

  it('return the same snapshot until something changes, and follow changes', async () => {
    const registry = new ToolRegistry({ tools: [tool('a', 'a')] });
    const combined = combineSources(createDispatcher({ registry }), source(tool('b', 'b')));
    const model = { name: 'm' };
    const before = await combined.visibleTo(model);
    expect(await combined.visibleTo(model)).toBe(before);
    expect(combined.snapshot()).toBe(combined.snapshot());
    registry.register(tool('c', 'c'));
    expect((await combined.visibleTo(model)).names).toEqual(['a', 'b', 'c']);
    registry.unregister('a');
    // The tool was in the snapshot passed with the request.
    expect((await combined.dispatch(call('a'), { snapshot: before })).ok).toBe(true);
  });

  it('return the results of one turn in call order, and queue calls that conflict', async () => {
    const combined = combineSources(
      source(tool('a', 'a', 'x.txt')),
      source(tool('b', 'b', 'x.txt'), tool('c', 'c', 'y.txt')),
    );
    log.length = 0;
    const received: number[] = [];
    const results = await combined.dispatchBatch([call('a', '1'), call('b', '2'), call('c', '3'), call('a', '4')], {
      onResult: (_result, index) => received.push(index),
    });
    expect(results.map((result) => result.callId)).toEqual(['1', '2', '3', '4']);
    expect(received.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
    expect(log.indexOf('end a')).toBeLessThan(log.indexOf('begin b'));
    expect(log.indexOf('end b')).toBeLessThan(log.lastIndexOf('begin a'));
    expect(log.indexOf('begin c')).toBeLessThan(log.indexOf('end b'));
  });

  it('skip the calls after a denial in any source, on request', async () => {
    const denied = createDispatcher({ registry: [tool('a', 'a', 'x.txt')] });
    const combined = combineSources(denied, source(tool('b', 'b')));
    const codes = async (onDenied: 'skip' | 'continue'): Promise<readonly unknown[]> =>
      (await combined.dispatchBatch([call('b', '0'), call('a', '1'), call('b', '2')], { onDenied })).map((result) =>
        result.ok ? 'ok' : result.error.code,
      );
    expect(await codes('continue')).toEqual(['ok', 'PERMISSION_DENIED', 'ok']);
    expect(await codes('skip')).toEqual(['ok', 'PERMISSION_DENIED', 'SKIPPED']);
  });

  it('return a result for calls of unknown tools', async () => {
    const unknown = await combineSources(source(tool('a', 'a')), source(tool('b', 'b'))).dispatch(call('aa'));
    expect(renderForModel(unknown)).toContain('TOOL_NOT_FOUND');
    expect(await combineSources().dispatch(call('a'))).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_FOUND' } });
    expect(await combineSources().dispatchBatch([call('a', '7')])).toMatchObject([{ callId: '7', ok: false }]);
  });

  it('return a result for an invalid call', async () => {
    const combined = combineSources(source(tool('a', 'a')), source(tool('b', 'b')));
    const results = await combined.dispatchBatch([null, call('b'), undefined, { name: 7 }] as never);
    expect(results.map((result) => result.ok)).toEqual([false, true, false, false]);
    expect(await combineSources().dispatchBatch([null] as never)).toMatchObject([{ ok: false, callId: '' }]);
  });

  it('reject a value that is not a source', () => {
    expect(() => combineSources({} as never)).toThrow('source 0 is not valid (expected a ToolSource');
  });
});
