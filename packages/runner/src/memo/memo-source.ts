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
 */
export function createMemoSource(options: DispatcherOptions, memoOptions: MemoOptions = {}): MemoSource {
  const memo = createMemo(memoOptions);
  const dispatcher = createDispatcher({ ...options, middleware: [memo, ...(options.middleware ?? [])] });
  return { ...dispatcher, memo, forgetTask: (taskId) => dispatcher.forgetTask(taskId) };
}
