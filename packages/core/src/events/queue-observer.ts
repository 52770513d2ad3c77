import { checkOption, checkOptions } from '../options/check-options.ts';
import type { OptionTable } from '../options/option-kind.ts';
import { functionKind, integerKind } from '../options/option-kinds.ts';
import { describeCause } from '../describe-cause.ts';
import type { ToolEvent, ToolObserver } from './tool-event.ts';

/** Options of an observer queue. */
export interface QueueObserverOptions {
  /** Maximum number of queued events. Default: 10,000. */
  readonly maxEvents?: number;
  /** Called on the first failure of the observer. Default: failures are ignored. */
  readonly onFailure?: (reason: string) => void;
}

/** An observer that queues events for another observer. */
export interface QueuedObserver {
  /** The observer to pass to a dispatcher. It returns at once. */
  readonly observer: ToolObserver;
  /** Number of events dropped because the queue was full. */
  readonly dropped: number;
  /** Resolves once all events that are queued now are delivered. */
  drained(): Promise<void>;
}

/** Number of events to deliver before yielding to the event loop. */
const eventsPerTurn = 64;

const table: OptionTable<QueueObserverOptions> = { maxEvents: integerKind({ min: 1 }), onFailure: functionKind };

/**
 * Delivers events to an observer asynchronously, one at a time, so that a slow observer (such as a disk or network
 * writer) does not delay calls. Awaits promises that the observer returns. When the queue is full, drops progress
 * events first, then the newest events.
 *
 * @throws HaftError `INVALID_OPTION`.
 */
export function queueObserver(
  observer: (event: ToolEvent) => void | Promise<void>,
  options: QueueObserverOptions = {},
): QueuedObserver {
  checkOption('queueObserver', 'observer', observer, functionKind);
  checkOptions('queueObserver', options, table, '{ maxEvents: 1000 }');
  const { maxEvents = 10_000, onFailure } = options;
  let waiting: (ToolEvent | undefined)[] = [];
  let size = 0;
  let dropped = 0;
  /** No progress event is queued before this index. */
  let looked = 0;
  let telling: Promise<void> | undefined;
  let isFailureReported = false;

  const makeRoom = (): boolean => {
    for (; looked < waiting.length; looked += 1) {
      if (waiting[looked]?.action !== 'execute_progress') continue;
      waiting[looked] = undefined;
      size -= 1;
      return true;
    }
    return false;
  };
  const notify = async (event: ToolEvent): Promise<void> => {
    try {
      await observer(event);
    } catch (cause) {
      if (!isFailureReported) onFailure?.(describeCause(cause));
      isFailureReported = true;
    }
  };
  const notifyAll = async (): Promise<void> => {
    while (size > 0) {
      await new Promise<void>((resolve) => setTimeout(() => resolve(), 0));
      const batch = waiting.slice(0, eventsPerTurn);
      waiting = waiting.slice(eventsPerTurn);
      looked = Math.max(0, looked - eventsPerTurn);
      for (const event of batch) {
        if (event === undefined) continue;
        size -= 1;
        await notify(event);
      }
    }
    telling = undefined;
  };

  return {
    observer(event) {
      if (size >= maxEvents) {
        dropped += 1;
        if (event.action === 'execute_progress' || !makeRoom()) return;
      }
      waiting.push(event);
      size += 1;
      telling ??= notifyAll();
    },
    get dropped() {
      return dropped;
    },
    drained: async () => telling,
  };
}
