import { checkOption, checkOptions } from '../options/check-options.ts';
import type { OptionTable } from '../options/option-kind.ts';
import { aFunction, anInteger } from '../options/option-kinds.ts';
import { describeCause } from '../describe-cause.ts';
import type { ToolEvent, ToolObserver } from './tool-event.ts';

/** How events wait for an observer. */
export interface QueueObserverOptions {
  /** How many may wait; default 10,000. */
  readonly limit?: number;
  /** Hears of the first failure of the observer; default: nobody does. */
  readonly onFailure?: (reason: string) => void;
}

/** An observer whose events wait for another. */
export interface QueuedObserver {
  /** What a dispatcher is given. It returns at once. */
  readonly observer: ToolObserver;
  /** How many events were left out, since too many waited. */
  readonly dropped: number;
  /** Resolves once everything that waits now was told. */
  drained(): Promise<void>;
}

/** How many events are told before others get a turn of the event loop. */
const eventsPerTurn = 64;

const table: OptionTable<QueueObserverOptions> = { limit: anInteger({ min: 1 }), onFailure: aFunction };

/**
 * Tells an observer of events later, one after the other, so that a slow one (which writes to a disk or a network) holds no
 * call up; a promise that it answers is waited for. When too many wait, progress is left out first, then what comes last.
 *
 * @throws HaftError `INVALID_OPTION`.
 */
export function queueObserver(
  observer: (event: ToolEvent) => void | Promise<void>,
  options: QueueObserverOptions = {},
): QueuedObserver {
  checkOption('queueObserver', 'observer', observer, aFunction);
  checkOptions('queueObserver', options, table, '{ limit: 1000 }');
  const { limit = 10_000, onFailure } = options;
  let waiting: (ToolEvent | undefined)[] = [];
  let size = 0;
  let dropped = 0;
  /** Before it in the list, no progress waits. */
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
  const tell = async (event: ToolEvent): Promise<void> => {
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
        await tell(event);
      }
    }
    telling = undefined;
  };

  return {
    observer(event) {
      if (size >= limit) {
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
