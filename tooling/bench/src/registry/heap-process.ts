/** Makes calls and prints how many bytes per call remain. The argument is the number of calls. Needs `--expose-gc`. */
import makeHaft from '@haft-tooling/peers/dispatch/haft';

const calls = Number(process.argv[2]);
const collect = (globalThis as { readonly gc?: () => void }).gc;
if (collect === undefined) throw new Error('run with --expose-gc');
const work = await makeHaft({ tools: 100 });

async function heapAfter(count: number): Promise<number> {
  for (let index = 0; index < count; index += 1) await work.run();
  // Waits, so that objects that the last turns of the event loop still hold do not count as kept.
  await new Promise((resolve) => setTimeout(resolve, 50));
  collect?.();
  collect?.();
  return process.memoryUsage().heapUsed;
}

const before = await heapAfter(20_000);
const after = await heapAfter(calls);
process.stdout.write(JSON.stringify((after - before) / calls));
