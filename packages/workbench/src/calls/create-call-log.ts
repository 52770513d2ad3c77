import type { ToolEvent, ToolObserver } from '@haft/core';
import { createChangeSignal, type ChangeSignal } from '../contract/change-signal.ts';
import type { CallDetails, CallSummary } from '../contract/page-data.ts';
import { describeCall, summarizeCall, type LoggedCall } from './describe-call.ts';

/** The latest calls of a program. */
export interface CallLog extends Pick<ChangeSignal, 'onChange'> {
  /** Pass this to `createToolkit` or `createDispatcher` as `observer`. */
  readonly observer: ToolObserver;
  /** Returns the calls, newest first. `isOwn` says which of them the page started. */
  list(isOwn: (callId: string) => boolean): readonly CallSummary[];
  /** Returns one call by its key. */
  get(key: string, isOwn: (callId: string) => boolean): CallDetails | undefined;
}

/** Options of {@link createCallLog}. */
export interface CallLogOptions {
  /** Maximum number of calls. The oldest are dropped. Default: 500. */
  readonly maxCalls?: number;
}

/**
 * Creates a log of calls for the Calls page. An event is only stored; its text is made when a page asks for it, so that a
 * call costs next to nothing more.
 */
export function createCallLog({ maxCalls = 500 }: CallLogOptions = {}): CallLog {
  const calls = new Map<string, LoggedCall>();
  /** The running call of each ID. */
  const running = new Map<string, LoggedCall>();
  const { notify, onChange } = createChangeSignal();
  let count = 0;

  const start = (event: ToolEvent): void => {
    count += 1;
    const call: LoggedCall = { key: `${count}`, start: event };
    calls.set(call.key, call);
    running.set(event.data.callId, call);
    if (calls.size <= maxCalls) return;
    const [oldest] = calls.values();
    if (oldest === undefined) return;
    calls.delete(oldest.key);
    const { callId } = oldest.start.data;
    if (running.get(callId) === oldest) running.delete(callId);
  };

  return {
    onChange,
    observer(event) {
      if (event.action === 'execute_start') start(event);
      else {
        const call = running.get(event.data.callId);
        if (call === undefined) return;
        if (event.action === 'execute_progress') call.progress = event.data.progress;
        else {
          call.end = event;
          running.delete(event.data.callId);
        }
      }
      notify();
    },
    list: (isOwn) =>
      Array.from(calls.values(), (call) => summarizeCall(call, isOwn(call.start.data.callId))).toReversed(),
    get(key, isOwn) {
      const call = calls.get(key);
      return call && describeCall(call, isOwn(call.start.data.callId));
    },
  };
}
