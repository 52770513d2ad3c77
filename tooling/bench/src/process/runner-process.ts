/**
 * Runs one command line with one contender and prints what that took: its arguments are the contender, the line, the folder, the
 * time limit in milliseconds.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

import { runners } from './runners.ts';

const [name = '', line = '', folder = '', timeout = ''] = process.argv.slice(2);
const load = runners[name];
if (load === undefined) throw new Error(`there is no contender ${name}`);
const run = await load();
// The first command pays for what is loaded on the way.
await run('true', { folder, timeoutMs: 10_000 });
await wait(50);

const resolutionMs = 5;
const delays = monitorEventLoopDelay({ resolution: resolutionMs });
const before = process.memoryUsage.rss();
let highest = before;
const look = setInterval(() => {
  highest = Math.max(highest, process.memoryUsage.rss());
}, 20);
delays.enable();
const startedAt = performance.now();
const { shown } = await run(line, { folder, timeoutMs: Number(timeout) });
const ms = performance.now() - startedAt;
delays.disable();
clearInterval(look);
const lagMs = Math.max(0, delays.max / 1e6 - resolutionMs);
process.stdout.write(JSON.stringify({ ms, lagMs, rssBytes: highest - before, shownBytes: Buffer.byteLength(shown) }));
process.exit(0);
