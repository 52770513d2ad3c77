import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../contracts/calls/call.ts';
import { allowAll } from '../../workspace/permission-engines.ts';
import { renderForModel } from '../../results/render-for-model.ts';
import { filterSnapshot } from '../../registry/snapshot.ts';
import { ToolRegistry } from '../../registry/tool-registry.ts';
import { combineSources } from '../../sources/combine-sources.ts';
import { createDispatcher } from '../dispatcher.ts';
import { body, code, echo, run, write } from '../../fixtures/run-call.ts';

describe('resolve', () => {
  it('suggests the most similar tools for an unknown name', async () => {
    const { result } = await run({}, [echo, write], {}, {}, 'writeNote');
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'TOOL_NOT_FOUND', details: { nearest: ['write_note'] } },
    });
    expect(code(await run({}, [echo], {}, {}, 'constructor'))).toBe('TOOL_NOT_FOUND');
    expect(code(await run({}, [echo], {}, {}, `x${'y'.repeat(100_000)}`))).toBe('TOOL_NOT_FOUND');
  });

  it('runs a tool of the given snapshot even if it has become unavailable or was removed', async () => {
    let here = true;
    const registry = new ToolRegistry({
      tools: [body(() => 'ran', { available: () => here || { reason: 'cable cut' } })],
    });
    const outcome = async (unavailable: 'grace' | 'reject' | 'execute', context: CallContext) => {
      const result = await createDispatcher({ registry, permission: allowAll, unavailable }).dispatch(
        { id: '1', name: 'body', arguments: {} },
        context,
      );
      return result.ok ? 'ok' : result.error.code;
    };
    const shown = await registry.visibleTo({ name: 'm' });
    here = false;
    expect(await outcome('grace', { snapshot: shown })).toBe('ok');
    expect(await outcome('grace', {})).toBe('TOOL_UNAVAILABLE');
    expect(await outcome('reject', { snapshot: shown })).toBe('TOOL_UNAVAILABLE');
    expect(await outcome('execute', {})).toBe('ok');
    registry.unregister('body');
    expect(await outcome('grace', { snapshot: shown })).toBe('ok');
    expect(await outcome('grace', {})).toBe('TOOL_NOT_FOUND');
  });

  it('ends a call that is cancelled during the check of availability, and asks for no permission', async () => {
    const stop = new AbortController();
    let asked = 0;
    const ask: typeof allowAll.ask = (request) => {
      asked += 1;
      return allowAll.ask(request);
    };
    const outcome = async (available: () => Promise<true>): Promise<string> => {
      const permission = { ...allowAll, ask };
      const dispatcher = createDispatcher({ registry: [body(() => 'ran', { available })], permission });
      const result = await dispatcher.dispatch({ id: '1', name: 'body', arguments: {} }, { signal: stop.signal });
      return result.ok ? 'ok' : result.error.code;
    };
    const never = new Promise<true>(() => {});
    expect(
      await outcome(() => {
        queueMicrotask(() => stop.abort());
        return never;
      }),
    ).toBe('ABORTED');
    expect(await outcome(async () => true)).toBe('ABORTED');
    expect(asked).toBe(0);
  });

  it('explains why a tool outside the snapshot is unavailable, in every mode that does not run it', async () => {
    let here = false;
    const tool = body(() => 'ran', { name: 'fragile', available: () => here || { reason: 'cable cut' } });
    const hidden = body(() => 'ran', { name: 'hidden', available: () => ({ reason: 'x' }) });
    const registry = new ToolRegistry({ tools: [echo, tool, hidden] });
    const shown = filterSnapshot(await registry.visibleTo({ name: 'm' }), ({ name }) => name !== 'hidden');
    const combined = await combineSources(
      createDispatcher({ registry: [write] }),
      createDispatcher({ registry }),
    ).visibleTo({ name: 'm' });
    expect([shown.names, shown.get('fragile')]).toEqual([['echo'], undefined]);
    for (const snapshot of [shown, combined]) {
      for (const [unavailable, expected] of [
        ['grace', 'Error TOOL_UNAVAILABLE: fragile is not available now: cable cut'],
        ['reject', 'Error TOOL_UNAVAILABLE: fragile is not available now: cable cut'],
        ['execute', 'ran'],
      ] as const) {
        const dispatcher = createDispatcher({ registry, permission: allowAll, unavailable });
        const call = async (name: string) =>
          renderForModel(await dispatcher.dispatch({ id: '1', name, arguments: {} }, { snapshot }));
        expect((await call('fragile')).split('\n')[0]).toBe(expected);
        if (snapshot === shown) expect(await call('hidden')).toContain('TOOL_NOT_FOUND');
        here = true;
        expect(await call('fragile')).toBe('ran');
        here = false;
      }
    }
  });

  it.each([
    [{ reason: 'the phone rings' }, true],
    [{ reason: 'the phone rings', retryable: true }, true],
    [{ reason: 'the change waits for approval', retryable: false }, false],
  ])('fails a call of a tool that answers %j with retryable %j', async (answer, retryable) => {
    const { result } = await run({}, [body(() => 'ran', { available: () => answer })]);
    expect(result).toMatchObject({ ok: false, error: { code: 'TOOL_UNAVAILABLE', fault: 'world', retryable } });
  });

  it.each([
    [
      { id: '1', name: 'look', input: { a: 1 } },
      'has `input` instead of `arguments`; expected { id, name, arguments }',
    ],
    [{ id: '1', name: 'look', args: {} }, 'has `args` instead of `arguments`'],
    [{ id: '1', name: 'look', parameters: '{}' }, 'has `parameters` instead of `arguments`'],
    [{ type: 'tool_use', id: '1', name: 'look', input: {} }, 'has `input` instead of `arguments`'],
    [
      { id: '1', type: 'function', function: { name: 'look', arguments: '{}' } },
      '{ id: call.id, name: call.function.name, arguments: call.function.arguments }',
    ],
    [
      { type: 'tool-call', toolCallId: '1', toolName: 'look', input: {} },
      '{ id: call.toolCallId, name: call.toolName, arguments: call.input }',
    ],
    [{ toolCallId: '1', toolName: 'look', args: {} }, 'arguments: call.args }'],
  ])("refuses another framework's call and tells the host what to write (%j)", async (call, expected) => {
    let runs = 0;
    const look = body(() => `${(runs += 1)}`, { name: 'look' });
    const dispatcher = createDispatcher({ registry: [look], permission: allowAll });
    const [alone, inBatch] = [
      await dispatcher.dispatch(call as never),
      await dispatcher.dispatchBatch([call as never]),
    ];
    for (const result of [alone, inBatch[0]!]) {
      expect(result).toMatchObject({ ok: false, error: { fault: 'host' } });
      expect(result.ok ? '' : result.error.message).toContain(expected);
    }
    expect(runs).toBe(0);
  });

  it('accepts a call with additional members, and a call without arguments', async () => {
    const look = body((args) => JSON.stringify(args), { name: 'look' });
    const dispatcher = createDispatcher({ registry: [look], permission: allowAll });
    const call = { id: '1', name: 'look', arguments: { a: 1 }, input: { b: 2 } };
    expect(renderForModel(await dispatcher.dispatch(call))).toBe('{"a":1}');
    expect(await dispatcher.dispatch({ id: '1', name: 'look' } as never)).toMatchObject({ ok: true });
  });

  it('returns a result for invalid calls', async () => {
    const dispatcher = createDispatcher({ registry: [echo], permission: allowAll });
    for (const call of [null, undefined, 5, {}, { id: 1, name: {} }, { id: 'a' }]) {
      expect(await dispatcher.dispatch(call as never)).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_FOUND' } });
    }
  });
});
