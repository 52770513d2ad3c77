import type { LaunchPlan } from '../launch/launch-plan.ts';
import { startPlugin, type ProcessLimits } from './running-plugin.ts';
import { type RunningPlugin } from './process-handle.ts';

/** Processes that are started in advance, because they will probably be needed. */
export interface ProcessPool {
  /**
   * Starts a process for a plugin whose files are being written, because starting takes longer than waiting for the
   * files to settle. If the plugin is saved repeatedly, starts two more. A `spare` process is for a plugin that has
   * just been saved and will probably be saved again. Spare processes are kept for a minute, and their number is
   * limited.
   *
   * @param print everything that the process depends on, except its plan.
   */
  prepare(id: string, plan: LaunchPlan, print: string, isSpare?: boolean): void;
  /** Takes the oldest process of the plugin, if it still fits. */
  take(id: string, plan: LaunchPlan, print: string): RunningPlugin | undefined;
  /** Ends the processes of a removed plugin. */
  drop(id: string): void;
  close(): void;
}

/** Milliseconds after which an unused process is ended. */
const keptMs = 5_000;
const spareKeptMs = 60_000;
/** Maximum number of spare processes. Each takes some 45 MB. */
const maxSpares = 2;
/** Number of processes to prepare for a plugin that is saved repeatedly. */
const ahead = 2;
const maxAhead = 4;
/** Milliseconds between two saves within which a third save is likely. */
const burstMs = 2_000;

interface Prepared {
  readonly running: RunningPlugin;
  isSpare: boolean;
  timer: ReturnType<typeof setTimeout>;
}

/** The prepared processes of one plugin, oldest first. They are interchangeable. */
interface Pool {
  readonly print: string;
  readonly waiting: Prepared[];
}

export function createProcessPool(limits: ProcessLimits): ProcessPool {
  const pools = new Map<string, Pool>();
  /** For each plugin, when a process was taken last, and whether another was taken shortly before. */
  const taken = new Map<string, { readonly at: number; readonly isBurst: boolean }>();
  let isClosed = false;

  const end = ({ running, timer }: Prepared): void => {
    clearTimeout(timer);
    running.kill('closed');
  };
  const endAll = (id: string): void => {
    const pool = pools.get(id);
    pools.delete(id);
    pool?.waiting.forEach(end);
  };
  const remove = (id: string, one: Prepared): void => {
    const pool = pools.get(id);
    pool?.waiting.splice(pool.waiting.indexOf(one), 1);
    if (pool?.waiting.length === 0) pools.delete(id);
    end(one);
  };
  const expire = (id: string, one: Prepared, afterMs: number): ReturnType<typeof setTimeout> =>
    setTimeout(() => remove(id, one), afterMs).unref();
  const start = (id: string, plan: LaunchPlan, pool: Pool): void => {
    const running = startPlugin(plan, limits);
    const one = { running, isSpare: false } as Prepared;
    one.timer = expire(id, one, keptMs);
    pool.waiting.push(one);
    running.send({ t: 'warm' });
  };
  const keep = (id: string, one: Prepared): void => {
    clearTimeout(one.timer);
    one.timer = expire(id, one, spareKeptMs);
    one.isSpare = true;
    const spares = [...pools].flatMap(([owner, { waiting }]) =>
      waiting.filter((other) => other.isSpare && other !== one).map((spare) => ({ owner, spare })),
    );
    for (const { owner, spare } of spares.slice(0, Math.max(0, spares.length + 1 - maxSpares))) remove(owner, spare);
  };
  const poolOf = (id: string, print: string): Pool => {
    const known = pools.get(id);
    const waiting = known?.print === print ? known.waiting.filter(({ running }) => running.isAlive) : [];
    for (const one of known?.waiting ?? []) if (!waiting.includes(one)) end(one);
    const pool = { print, waiting };
    // Moves the pool to the end, because pools at the beginning are ended first.
    pools.delete(id);
    pools.set(id, pool);
    return pool;
  };
  const printOf = (plan: LaunchPlan, print: string): string => JSON.stringify([plan, print]);

  return {
    prepare(id, plan, print, isSpare = false) {
      if (isClosed) return;
      const pool = poolOf(id, printOf(plan, print));
      const last = taken.get(id);
      const isBurst = last?.isBurst === true && performance.now() - last.at < burstMs;
      const wanted = (isSpare ? 0 : 1) + (isBurst ? ahead : 0);
      if (pool.waiting.length === 0) start(id, plan, pool);
      const countAll = (): number => [...pools.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
      while (pool.waiting.length < wanted && countAll() < maxAhead) start(id, plan, pool);
      if (isSpare && !pool.waiting.some((one) => one.isSpare)) keep(id, pool.waiting[0]!);
    },
    take(id, plan, print) {
      const pool = pools.get(id);
      if (!pool) return undefined;
      if (pool.print !== printOf(plan, print)) {
        endAll(id);
        return undefined;
      }
      const at = performance.now();
      taken.set(id, { at, isBurst: at - (taken.get(id)?.at ?? -Infinity) < burstMs });
      for (let one = pool.waiting.shift(); one; one = pool.waiting.shift()) {
        clearTimeout(one.timer);
        if (pool.waiting.length === 0) pools.delete(id);
        if (one.running.isAlive) return one.running;
        end(one);
      }
      return undefined;
    },
    drop(id) {
      taken.delete(id);
      endAll(id);
    },
    close() {
      isClosed = true;
      for (const id of pools.keys()) endAll(id);
    },
  };
}
