import { describe, expect, it } from 'vitest';
import type { CallContext } from '../contracts/source.ts';
import { allowAll } from '../permission-engines.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { createDispatcher } from './dispatcher.ts';
import { body, code, echo, run, write } from '../fixtures/run-call.ts';

describe('resolve', () => {
  it('names the nearest tools when there is none of that name', async () => {
    const { result } = await run({}, [echo, write], {}, {}, 'writeNote');
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'TOOL_NOT_FOUND', details: { nearest: ['write_note'] } },
    });
    expect(code(await run({}, [echo], {}, {}, 'constructor'))).toBe('TOOL_NOT_FOUND');
    expect(code(await run({}, [echo], {}, {}, `x${'y'.repeat(100_000)}`))).toBe('TOOL_NOT_FOUND');
  });

  it('lets a tool of the snapshot that was shown run although it has become unavailable or gone', async () => {
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

  it('answers calls that are no calls', async () => {
    const dispatcher = createDispatcher({ registry: [echo], permission: allowAll });
    for (const call of [null, undefined, 5, {}, { id: 1, name: {} }, { id: 'a' }]) {
      expect(await dispatcher.dispatch(call as never)).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_FOUND' } });
    }
  });
});
