import { describeCause } from '@haft/core/results';
import { loadSlot, prepareSlot, realPath, type LoadOptions, type LoadOutcome } from './load-slot.ts';
import type { PluginSlot } from './plugin-slot.ts';
import { changedFiles, printFiles, type FilesPrint } from '../../files/settled-files.ts';

/** Options of a slot worker. */
export interface SlotWorkerOptions extends LoadOptions {
  readonly settleMs: number;
  /** Called with the outcome of each load, except `torn`. */
  readonly onOutcome: (slot: PluginSlot, outcome: Exclude<LoadOutcome, 'torn'>) => void;
}

/** Loads plugins on request: one load at a time per plugin, all plugins in parallel. */
export interface SlotWorker {
  /**
   * Requests a load after a change, or at once with `now`. Requests during a load are merged into one more load.
   * Resolves when no work is left.
   */
  wake(slot: PluginSlot, now?: boolean): Promise<void>;
  /** Resolves when no load is running. */
  idle(): Promise<void>;
}

/** Files that keep changing are read after this many waits, and no longer after this many torn loads. */
const maxWaits = 40;
const maxTorn = 5;
/**
 * A plugin whose files keep changing, for example because it rewrites itself on every load, is paused for a while, and
 * each time for longer.
 */
const firstRestMs = 250;
const maxRestMs = 10_000;
const spareDelayMs = 10;
/**
 * Time without a write after which a single saved file is read, in milliseconds. It is short because the save is
 * probably complete.
 */
const quickMs = 8;

interface Work {
  due: boolean;
  lastEventAt: number;
  done: Promise<void>;
}

/** A pause in which a slot is not loaded. */
interface Rest {
  readonly ms: number;
  /** Absent when the pause is over and the slot is loaded. */
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

export function createSlotWorker(options: SlotWorkerOptions): SlotWorker {
  const { settleMs, signal, onOutcome } = options;
  const working = new Map<PluginSlot, Work>();
  /** The fingerprint of each slot's files when they were read last. */
  const prints = new WeakMap<PluginSlot, FilesPrint>();
  const rests = new Map<PluginSlot, Rest>();
  signal.addEventListener('abort', () => rests.forEach(({ timer }) => clearTimeout(timer)), { once: true });

  const run = async (slot: PluginSlot, work: Work): Promise<void> => {
    for (let torn = 0; work.due && !signal.aborted;) {
      work.due = false;
      prepareSlot(slot, options);
      const print = await settle(slot, work);
      if (work.due || signal.aborted) continue;
      const isEarly = Date.now() - print.newest < settleMs;
      prints.set(slot, print);
      const startedAt = performance.now();
      const outcome = await load(slot, print);
      if (outcome === 'torn' && performance.now() - startedAt >= options.loadTimeoutMs) warnOfDelay(slot);
      if (signal.aborted) return discard(outcome);
      if (isEarly && outcome !== 'torn' && (outcome === 'absent' || 'phase' in outcome)) {
        // The save may be incomplete, so a failure counts only once the files have settled.
        const rested = await settle(slot, work, settleMs);
        work.due ||= changedFiles(print, rested).length > 0;
        if (work.due) continue;
      }
      if (outcome === 'torn') {
        torn += 1;
        work.due ||= torn <= maxTorn;
        if (torn <= maxTorn) continue;
        beginRest(slot);
        return onOutcome(slot, {
          phase: 'import',
          message: 'its files keep changing; it loads once they are stable',
        });
      } else {
        torn = 0;
        rests.delete(slot);
        const wasSaved = slot.isTouched && slot.revision > 0;
        onOutcome(slot, outcome);
        if (wasSaved) keepSpare(slot);
      }
    }
  };

  /** Reports a version that did not finish loading. Its failure is not reported, because its files have changed since. */
  function warnOfDelay({ id }: PluginSlot): void {
    const text = `the plugin ${id} did not finish loading within ${options.loadTimeoutMs} ms, which delayed its newer version`;
    options.logger.warn(text, { plugin: id });
  }

  /** Ends a plugin that was loaded while the loader stopped. */
  async function discard(outcome: LoadOutcome): Promise<void> {
    if (typeof outcome === 'object' && 'plugin' in outcome) await outcome.plugin.dispose(options.disposeTimeoutMs);
  }

  /** Starts a spare process for the next save, after calls to the new version had a chance to start. */
  function keepSpare(slot: PluginSlot): void {
    const timer = setTimeout(() => {
      if (!signal.aborted && !working.has(slot)) prepareSlot(slot, options, true);
    }, spareDelayMs);
    timer.unref();
  }

  /** Loads the slot again after a pause, even without another event. */
  function beginRest(slot: PluginSlot): void {
    const ms = Math.min((rests.get(slot)?.ms ?? firstRestMs / 2) * 2, maxRestMs);
    const timer = setTimeout(() => void wake(slot, true), ms);
    rests.set(slot, { ms, timer });
  }

  function wake(slot: PluginSlot, now = false): Promise<void> {
    const known = working.get(slot);
    if (known) {
      known.due = true;
      known.lastEventAt = Date.now();
      return known.done;
    }
    const rest = rests.get(slot);
    if (signal.aborted || (rest?.timer !== undefined && !now)) return Promise.resolve();
    clearTimeout(rest?.timer);
    if (rest) rests.set(slot, { ms: rest.ms, timer: undefined });
    const work: Work = { due: true, lastEventAt: Date.now(), done: Promise.resolve() };
    working.set(slot, work);
    work.done = run(slot, work).finally(() => working.delete(slot));
    return work.done;
  }

  async function load(slot: PluginSlot, print: FilesPrint): Promise<LoadOutcome> {
    try {
      return await loadSlot(slot, print, options);
    } catch (error) {
      return {
        phase: 'import',
        message: `loading it failed: ${describeCause(error)}`,
      };
    }
  }

  /**
   * Waits until the files have not been written for a while. The wait is short if a single file of a loaded plugin was
   * saved.
   */
  async function settle(slot: PluginSlot, work: Work, restMs?: number): Promise<FilesPrint> {
    for (let waits = 0; ; waits += 1) {
      const print = await printFiles(realPath(slot.path));
      const before = slot.current && prints.get(slot);
      const isOneSave = before !== undefined && changedFiles(before, print).length === 1;
      const settleMs = restMs ?? (isOneSave ? Math.min(quickMs, options.settleMs) : options.settleMs);
      const now = Date.now();
      // For a single file, its modification time is enough.
      const age = isOneSave ? now - print.newest : Math.min(now - work.lastEventAt, now - print.newest);
      // A modification time in the future counts as settled. Otherwise, a wrong clock would delay the load forever.
      const quiet = age >= settleMs || print.newest > now + 1_000;
      if ((quiet && !print.hasEmpty) || waits >= maxWaits || signal.aborted) return print;
      const left = Math.max(1, settleMs - Math.max(0, age));
      await new Promise((resolve) => setTimeout(resolve, quiet ? options.settleMs : left));
    }
  }

  return {
    wake,
    async idle() {
      while (working.size > 0) await Promise.all([...working.values()].map(({ done }) => done));
    },
  };
}
