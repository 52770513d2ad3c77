/** Makes calls and prints how many bytes per call remain. The argument is the number of calls. Needs `--expose-gc`. */
import { keptMemory } from '@haft-tooling/measure';
import makeHaft from '@haft-tooling/peers/dispatch/haft';

const calls = Number(process.argv[2]);
const work = await makeHaft({ tools: 100 });

async function heapAfter(count: number): Promise<number> {
  for (let index = 0; index < count; index += 1) await work.run();
  return (await keptMemory()).heapUsed;
}

const before = await heapAfter(20_000);
const after = await heapAfter(calls);
process.stdout.write(JSON.stringify((after - before) / calls));
