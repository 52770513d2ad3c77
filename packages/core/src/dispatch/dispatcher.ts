import type { BatchContext, CallContext, ToolCall } from '../contracts/calls/call.ts';
import type { ToolSource } from '../contracts/calls/source.ts';
import type { ToolRegistry } from '../registry/tool-registry.ts';
import { notifyListener } from '../notify-listener.ts';
import { readCallOptions } from './call/read-call.ts';
import { dispatchBatch } from './dispatch-batch.ts';
import { dispatchCall } from './dispatch-call.ts';
import { readDispatcherOptions, readOptionsOfOneCall } from './options/dispatcher-config.ts';
import type { DispatcherOptions } from './options/dispatcher-options.ts';
import { refuseCallOptions } from './refuse-call-options.ts';

/**
 * Creates the pipeline that runs every call: accept, resolve, decode, validate, acquire, prepare, check, authorize,
 * announce, around, execute, settle.
 * Neither `dispatch` nor `dispatchBatch` ever rejects, and every call gets exactly one result.
 *
 * @throws HaftError `INVALID_OPTION` if an option is invalid.
 * @example
 * import { createDispatcher, defineTool, renderForModel } from '@haft/core';
 * const input = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
 * const greet = defineTool({ name: 'greet', description: 'Greets.', kind: 'read', input, execute: ({ name }) => `Hello, ${name}!` });
 *
 * const { dispatch } = createDispatcher({ registry: [greet] });
 * renderForModel(await dispatch({ id: 'call_1', name: 'greet', arguments: "{name: 'Ada',}" })); // => 'Hello, Ada!'
 */
export function createDispatcher(
  options: DispatcherOptions,
): ToolSource & { readonly registry: ToolRegistry; forgetTask(taskId: string): void } {
  refuseCallOptions('createDispatcher', options);
  const config = readDispatcherOptions(options);
  return {
    registry: config.registry,
    snapshot: () => config.registry.snapshot(),
    visibleTo: (model) => config.registry.visibleTo(model),
    dispatch: (call: ToolCall, context?: CallContext) => dispatchCall(call, readCallOptions(context), config),
    dispatchBatch: (calls: readonly ToolCall[], context?: BatchContext) => dispatchBatch(calls, context, config),
    forgetTask: (taskId) => {
      for (const middleware of config.middleware) notifyListener(() => middleware.forgetTask?.(taskId), taskId);
    },
  };
}

/**
 * Runs one call with a fixed set of tools. To run many calls, use {@link createDispatcher}.
 *
 * @throws HaftError `INVALID_OPTION` if an option is invalid.
 * @example
 * import { defineTool, dispatch } from '@haft/core';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * const result = await dispatch({ id: 'call_1', name: 'ping', arguments: {} }, { registry: [ping] });
 * result.ok; // => true
 */
export function dispatch(
  call: ToolCall,
  options: DispatcherOptions & { readonly context?: CallContext },
): ReturnType<ToolSource['dispatch']> {
  refuseCallOptions('dispatch', options);
  const config = readOptionsOfOneCall(options);
  return dispatchCall(call, readCallOptions(options.context), config);
}
