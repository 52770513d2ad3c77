import { createDispatcher, type DispatcherOptions, type ToolSource } from '@haft/core';
import { createMemo, type Memo, type MemoOptions } from './create-memo.ts';

/** A source that answers repeated calls from memory. */
export interface MemoSource extends ToolSource {
  readonly memo: Memo;
  forgetTask(taskId: string): void;
}

/**
 * Makes a dispatcher with a {@link createMemo memo} outermost: a hit has passed permission, and runs neither the tool nor
 * the other middleware.
 * @throws HaftError `INVALID_OPTION` for options that can't work.
 */
export function createMemoSource(options: DispatcherOptions, memoOptions: MemoOptions = {}): MemoSource {
  const memo = createMemo(memoOptions);
  const dispatcher = createDispatcher({ ...options, middleware: [memo, ...(options.middleware ?? [])] });
  return { ...dispatcher, memo, forgetTask: (taskId) => dispatcher.forgetTask(taskId) };
}
