/**
 * Starts command lines that do not end with one contender, all at once, each with a time limit, and stays alive until
 * it is killed. Arguments: contender, folder, time limit in milliseconds, command lines.
 */
import { runners } from '@haft-tooling/peers/processes/runners';

const [name = '', folder = '', timeout = '', ...lines] = process.argv.slice(2);
const load = runners[name];
if (load === undefined) throw new Error(`unknown contender "${name}"`);
const run = await load();
await run('true', { folder, timeoutMs: 10_000 });
for (const line of lines) void run(line, { folder, timeoutMs: Number(timeout) }).catch(() => {});
process.stdout.write('started\n');
setInterval(() => {}, 1_000);
