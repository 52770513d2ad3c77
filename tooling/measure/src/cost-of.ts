import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The cost of an operation to the process that ran it. */
export interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
  /** The longest time during which the event loop was blocked, in milliseconds. */
  readonly lagMs: number;
  /** Peak memory above the memory before. */
  readonly rssBytes: number;
}

const resolutionMs = 5;
const lookEveryMs = 10;

/** Runs a function once, and returns its cost and its result. */
export async function costOf<Outcome>(run: () => Promise<Outcome>): Promise<{ outcome: Outcome; cost: Cost }> {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  const before = process.memoryUsage.rss();
  let highest = before;
  const look = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, lookEveryMs);
  delays.enable();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const outcome = await run();
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  highest = Math.max(highest, process.memoryUsage.rss());
  delays.disable();
  clearInterval(look);
  const lagMs = Math.max(0, delays.max / 1e6 - resolutionMs);
  return { outcome, cost: { ms, cpuMs: (user + system) / 1_000, lagMs, rssBytes: highest - before } };
}
