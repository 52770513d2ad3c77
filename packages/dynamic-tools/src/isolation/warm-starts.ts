import type { LaunchPlan } from './launch-plan.ts';
import { startPlugin, type ProcessLimits, type RunningPlugin } from './running-plugin.ts';

/** Processes that were started before it is certain that they are needed. */
export interface WarmStarts {
  /**
   * Starts one for a plugin whose files are being written: starting takes about as long as files take to settle. A `spare` is for
   * one that has just been saved, and will be again in all likelihood: it is kept for a minute, as one of few.
   *
   * @param print what the process depends on besides its plan.
   */
  prepare(id: string, plan: LaunchPlan, print: string, isSpare?: boolean): void;
  /** The one that was prepared for the plugin, if it is what is needed now. */
  take(id: string, plan: LaunchPlan, print: string): RunningPlugin | undefined;
  /** The plugin is gone. */
  drop(id: string): void;
  close(): void;
}

/** Milliseconds after which a process that nobody took is ended. */
const keptMs = 5_000;
const spareKeptMs = 60_000;
/** Each holds some 45 MB. */
const mostSpares = 2;

interface Prepared {
  readonly print: string;
  readonly running: RunningPlugin;
  readonly isSpare: boolean;
  readonly timer: ReturnType<typeof setTimeout>;
}

export function createWarmStarts(limits: ProcessLimits): WarmStarts {
  const prepared = new Map<string, Prepared>();
  let isClosed = false;
  const remove = (id: string): Prepared | undefined => {
    const found = prepared.get(id);
    prepared.delete(id);
    clearTimeout(found?.timer);
    return found;
  };
  const end = (id: string): void => remove(id)?.running.kill('closed');
  const printOf = (plan: LaunchPlan, print: string): string => JSON.stringify([plan, print]);
  return {
    prepare(id, plan, print, isSpare = false) {
      const known = prepared.get(id);
      const wanted = printOf(plan, print);
      if (isClosed || (known?.print === wanted && known.running.isAlive)) return;
      if (known) end(id);
      const running = startPlugin(plan, limits);
      const timer = setTimeout(() => end(id), isSpare ? spareKeptMs : keptMs).unref();
      prepared.set(id, { print: wanted, running, isSpare, timer });
      running.send({ t: 'warm' });
      const spares = [...prepared].filter(([, one]) => one.isSpare);
      for (const [oldest] of spares.slice(0, Math.max(0, spares.length - mostSpares))) end(oldest);
    },
    take(id, plan, print) {
      const found = remove(id);
      if (!found) return undefined;
      if (found.print === printOf(plan, print) && found.running.isAlive) return found.running;
      found.running.kill('closed');
      return undefined;
    },
    drop: end,
    close() {
      isClosed = true;
      for (const id of prepared.keys()) end(id);
    },
  };
}
