import type { ProgressUpdate } from '../contracts/tools/progress.ts';
import type { Logger } from '../contracts/workspace/session.ts';
import type { ToolResult } from '../contracts/results/result.ts';
import { describeCause } from '../describe-cause.ts';
import { dropPromise, notifyListener } from '../notify-listener.ts';
import { maskArguments, maskError, maskResult } from './mask-event-data.ts';
import type { ToolEvent, ToolEventAction, ToolEventData, ToolObserver } from './tool-event.ts';

/** The call data that an event reads. */
export interface ObservedCall {
  readonly call: { readonly id: string; readonly name: string };
  readonly options: Pick<ToolEventData, 'sessionId' | 'runId' | 'turn' | 'messageId' | 'inferenceId'> & {
    readonly parentCallId: string | undefined;
  };
  /** Events only contain masked copies of the arguments. */
  readonly argsToCopy: unknown;
  readonly startedAt: number;
}

/** Sends one event about a call to an observer created by {@link guardObserver}. */
export function emitEvent(
  observer: ToolObserver,
  run: ObservedCall,
  action: ToolEventAction,
  timestamp: number,
  progress?: ProgressUpdate,
  result?: ToolResult,
): void {
  const data = new EventData(run, progress, result);
  if (action === 'execute_start') {
    return observer({ layer: 'tool', version: 1, action, timestamp, data });
  }
  const duration = timestamp - run.startedAt;
  const event =
    result === undefined || result.ok
      ? { layer: 'tool', version: 1, action, timestamp, data, duration }
      : { layer: 'tool', version: 1, action, timestamp, data, duration, error: maskError(result.error) };
  observer(event as ToolEvent);
}

/** Creates an observer that never throws. Logs only its first failure. */
export function guardObserver(observer: ToolObserver, logger: Logger | undefined): ToolObserver {
  let isLogged = false;
  const fail = (cause: unknown): void => {
    if (isLogged) return;
    isLogged = true;
    const log = (reason: string): void =>
      logger?.error('an observer of tool calls throws; it still gets further events (logged once)', { reason });
    notifyListener(log, describeCause(cause));
  };
  return (event) => {
    try {
      const answer: unknown = observer(event);
      if (answer !== undefined) dropPromise(answer, fail);
    } catch (cause) {
      fail(cause);
    }
  };
}

/**
 * The data of one event. Arguments and results are masked lazily, because most observers only count events. It is a
 * class because an object literal with accessors costs more than the rest of the event.
 */
class EventData implements ToolEventData {
  declare readonly callId: string;
  declare readonly name: string;
  declare readonly sessionId: string;
  declare readonly runId: string;
  declare readonly turn: number;
  declare readonly messageId: string;
  declare readonly inferenceId: string;
  declare readonly parentCallId?: string;
  declare readonly progress?: ProgressUpdate;
  readonly #args: unknown;
  readonly #result: ToolResult | undefined;

  constructor({ call, options, argsToCopy }: ObservedCall, progress: ProgressUpdate | undefined, result?: ToolResult) {
    this.callId = call.id;
    this.name = call.name;
    this.sessionId = options.sessionId;
    this.runId = options.runId;
    this.turn = options.turn;
    this.messageId = options.messageId;
    this.inferenceId = options.inferenceId;
    if (options.parentCallId !== undefined) this.parentCallId = options.parentCallId;
    if (progress) this.progress = progress;
    this.#args = argsToCopy;
    this.#result = result;
  }

  get args(): unknown {
    return maskArguments(this.#args);
  }

  get result(): ToolResult | undefined {
    return this.#result && maskResult(this.#result);
  }

  /** Returns the event as plain data for `JSON.stringify`, including the masked arguments. */
  toJSON(): ToolEventData {
    return Object.assign({ args: this.args }, this, this.#result ? { result: this.result } : {});
  }
}
