import { createDispatcher, type DispatcherOptions, type ToolSource } from '@haft/core';
import { createMemo, type Memo, type MemoOptions } from './create-memo.ts';

/** A source that answers repeated calls from memory. */
export interface MemoSource extends ToolSource {
  readonly memo: Memo;
  forgetTask(taskId: string): void;
}

/**
 * Creates a dispatcher with a {@link createMemo memo} as its outermost middleware. A hit is permitted, but runs neither
 * the tool nor the other middleware.
 *
 * @throws HaftError `INVALID_OPTION` for invalid options.
 * @example
 * import { defineTool } from '@haft/core';
 * import { createMemoSource } from '@haft/runner';
 * let runs = 0;
 * const square = defineTool({
 *   name: 'square',
 *   description: 'Squares a number.',
 *   traits: { pure: true },
 *   input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
 *   execute({ n }) {
 *     runs += 1;
 *     return String(n * n);
 *   },
 * });
 * const { dispatch } = createMemoSource({ registry: [square] });
 * await dispatch({ id: 'call_1', name: 'square', arguments: { n: 3 } });
 * await dispatch({ id: 'call_2', name: 'square', arguments: { n: 3 } });
 * runs; // => 1
 */
export function createMemoSource(options: DispatcherOptions, memoOptions: MemoOptions = {}): MemoSource {
  const memo = createMemo(memoOptions);
  const dispatcher = createDispatcher({ ...options, middleware: [memo, ...(options.middleware ?? [])] });
  return { ...dispatcher, memo, forgetTask: (taskId) => dispatcher.forgetTask(taskId) };
}
