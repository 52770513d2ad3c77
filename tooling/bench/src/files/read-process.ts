/** Reads the first lines of a file with the tools that the first argument names. Prints the cost as JSON. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openFor } from '@haft-tooling/peers/files/file-tools';

const [name = '', path = '', lines = '20'] = process.argv.slice(2);
const { tools, file } = await openFor(name, path);
// Warms up, so that code that is loaded and compiled at the first call does not count as a cost of the file.
const small = join(dirname(path), `small-${process.pid}.txt`);
writeFileSync(small, 'one\ntwo\n');
for (let round = 0; round < 5; round += 1) await tools.read(`small-${process.pid}.txt`, 1);

const before = process.resourceUsage().maxRSS;
const start = performance.now();
let problem: string | undefined;
try {
  const text = await tools.read(file, Number(lines));
  if (!text.includes('line 0 ')) problem = 'it does not show the first line';
} catch (error) {
  problem = error instanceof Error ? error.message : String(error);
}
const ms = performance.now() - start;
const megabytes = (process.resourceUsage().maxRSS - before) / 1_024;
process.stdout.write(JSON.stringify({ ms, megabytes, problem }));
