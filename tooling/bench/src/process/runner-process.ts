/**
 * Runs one command line with one contender and prints the cost. Arguments: contender, command line, folder, time limit
 * in milliseconds.
 */
import { setTimeout as wait } from 'node:timers/promises';

import { costOf } from '@haft-tooling/measure';
import { runners } from '@haft-tooling/peers/processes/runners';

const [name = '', line = '', folder = '', timeout = ''] = process.argv.slice(2);
const load = runners[name];
if (load === undefined) throw new Error(`unknown contender "${name}"`);
const run = await load();
// Warms up, because the first command loads the code.
await run('true', { folder, timeoutMs: 10_000 });
await wait(50);

const { outcome, cost } = await costOf(() => run(line, { folder, timeoutMs: Number(timeout) }));
process.stdout.write(JSON.stringify({ ...cost, shownBytes: Buffer.byteLength(outcome.shown) }));
process.exit(0);
