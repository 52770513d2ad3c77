import { describe, expect, it } from 'vitest';
import { echo } from '../fixtures/run-call.ts';
import { createDispatcher, dispatch } from './dispatcher.ts';

const call = { id: '1', name: 'echo', arguments: { text: 'a' } };

describe('the context of a call', () => {
  it.each<[unknown, string]>([
    [{ timeout: 5 }, 'context.timeout is not an option (did you mean timeoutMs?)'],
    [{ permissionTimeoutMs: 5 }, 'context.permissionTimeoutMs is not an option (pass it to createDispatcher)'],
    [{ zzz: 5 }, 'context.zzz is not an option (expected one of snapshot, signal, '],
    [{ sessionId: 5 }, 'context.sessionId is not valid (expected a value of type string, got 5)'],
    [{ onProgress: {} }, 'context.onProgress is not valid (expected a value of type function, got an object)'],
    [{ session: 's1' }, 'context.session is not valid (expected a value of type object, got "s1")'],
    ['s1', 'context is not valid (expected an object, got a string)'],
  ])('fails every call with a host fault if it is %j', async (context, message) => {
    const dispatcher = createDispatcher({ registry: [echo] });
    const expected = { ok: false, error: { code: 'EXECUTION_ERROR', fault: 'host' } };
    const one = await dispatcher.dispatch(call, context as never);
    const [many] = await dispatcher.dispatchBatch([call], context as never);
    const alone = await dispatch(call, { registry: [echo], context: context as never });
    for (const result of [one, many!, alone]) {
      expect(result).toMatchObject(expected);
      expect(!result.ok && result.error.message).toContain(message);
    }
  });

  it('may contain undefined members and the members of a batch context', async () => {
    const context = { sessionId: undefined, mode: 'serial', onResult: () => {}, nothing: undefined } as never;
    expect(await dispatch(call, { registry: [echo], context })).toMatchObject({ ok: true });
  });
});

describe('dispatch', () => {
  it.each<[unknown, string]>([
    [undefined, 'dispatch: its argument is not valid (expected an object such as { registry, permission, context }'],
    [{}, 'dispatch: registry is missing (expected a ToolRegistry or an array of tools)'],
    [{ registry: [echo], contxt: {} }, 'dispatch: contxt is not an option (did you mean context?)'],
    [{ registry: [echo], observer: 5 }, 'dispatch: observer is not valid (expected a function, got 5)'],
  ])('rejects the options %j', (options, message) => {
    expect(() => dispatch('x' as never, options as never)).toThrow(message);
  });
});
