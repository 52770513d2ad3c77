import type { ToolEvent, ToolObserver } from '@haft/core';
import { createChangeSignal, type ChangeSignal } from '../contract/change-signal.ts';
import type { CallDetails, CallSummary } from '../contract/page-data.ts';
import { describeCall, summarizeCall, type LoggedCall } from './describe-call.ts';

/** The latest calls of a program. */
export interface CallLog extends Pick<ChangeSignal, 'onChange'> {
  /** Pass this to `createToolkit` or `createDispatcher` as `observer`. */
  readonly observer: ToolObserver;
  /** Returns the calls, newest first. `isOwn` returns whether the page started a call. */
  list(isOwn: (callId: string) => boolean): readonly CallSummary[];
  /** Returns one call by its key. */
  get(key: string, isOwn: (callId: string) => boolean): CallDetails | undefined;
}

/** Options of {@link createCallLog}. */
export interface CallLogOptions {
  /** Maximum number of calls. The oldest are dropped. Default: 500. */
  readonly maxCalls?: number;
  /** Maximum size of all results together, in characters. The oldest calls are dropped. Default: 50 million. */
  readonly maxCharacters?: number;
}

/**
 * Creates a log of calls for the Calls page. Only stores events, and formats them when a page requests them, so that
 * the log adds almost no time to a call.
 */
export function createCallLog({ maxCalls = 500, maxCharacters = 50_000_000 }: CallLogOptions = {}): CallLog {
  const calls = new Map<string, LoggedCall>();
  /** The running call of each ID. */
  const running = new Map<string, LoggedCall>();
  const { notify, onChange } = createChangeSignal();
  let count = 0;
  let characters = 0;

  const start = (event: ToolEvent): void => {
    count += 1;
    const call: LoggedCall = { key: `${count}`, start: event };
    calls.set(call.key, call);
    running.set(event.data.callId, call);
    if (calls.size > maxCalls) dropOldest();
  };
  const end = (call: LoggedCall, event: ToolEvent): void => {
    call.end = event;
    running.delete(event.data.callId);
    // A call that was dropped while it ran is not counted.
    if (!calls.has(call.key)) return;
    characters += sizeOf(event);
    dropLarge();
  };
  /** The newest call stays, however large it is. */
  const dropLarge = (): void => {
    if (characters <= maxCharacters || calls.size <= 1) return;
    dropOldest();
    dropLarge();
  };
  const dropOldest = (): void => {
    const [oldest] = calls.values();
    if (oldest === undefined) return;
    calls.delete(oldest.key);
    if (oldest.end !== undefined) characters -= sizeOf(oldest.end);
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
        else end(call, event);
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

/** Number of characters of the result that the log keeps. */
function sizeOf({ data: { result } }: ToolEvent): number {
  if (result === undefined) return 0;
  let size = result.diff?.patch.length ?? 0;
  for (const part of result.content) size += 'text' in part ? part.text.length : 'data' in part ? part.data.length : 0;
  return size;
}
