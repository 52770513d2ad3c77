/**
 * Runs one command line with one contender and prints the cost. Arguments: contender, command line, folder, time limit
 * in milliseconds.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { costOf } from '@haft-tooling/measure';
import { loadRunner } from '@haft-tooling/peers/processes/runners';

const [name = '', line = '', folder = '', timeout = ''] = process.argv.slice(2);
const run = await loadRunner(name, folder);
await wait(50);

const { cost } = await costOf(() => run(line, { folder, timeoutMs: Number(timeout) }));
process.stdout.write(JSON.stringify(cost));
process.exit(0);
