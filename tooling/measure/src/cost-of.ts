import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What something took of the process that it ran in. */
export interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
  /** The longest that everything else had to wait, in milliseconds. */
  readonly lagMs: number;
  /** Memory at its highest, more than before. */
  readonly rssBytes: number;
}

const resolutionMs = 5;
const lookEveryMs = 10;

/** Runs something once, and tells what that took beside what came of it. */
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
