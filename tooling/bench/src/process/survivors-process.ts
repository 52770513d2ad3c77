/**
 * Starts command lines that do not end with one contender, all at once, each with a time limit, and stays alive until
 * it is killed. Arguments: contender, folder, time limit in milliseconds, command lines.
 */
import { loadRunner } from '@haft-tooling/peers/processes/runners';

const [name = '', folder = '', timeout = '', ...lines] = process.argv.slice(2);
const run = await loadRunner(name, folder);
for (const line of lines) void run(line, { folder, timeoutMs: Number(timeout) }).catch(() => {});
process.stdout.write('started\n');
setInterval(() => {}, 1_000);
