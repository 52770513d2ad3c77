/**
 * Submits jobs in batches, waits for the results of each batch, and prints the jobs per second. Arguments: contender, URL
 * and schema of the database, size of a batch, number of batches.
 */
import { contenders } from '@haft-tooling/peers/jobs/contenders';

const [name = '', url = '', schema = '', size = '1', count = '1'] = process.argv.slice(2);
const contender = await contenders[name]?.(url, schema);
if (contender === undefined) throw new Error(`unknown contender "${name}"`);
let amount = 0;
const runBatch = async (): Promise<void> => {
  const amounts = Array.from({ length: Number(size) }, () => (amount += 1));
  const paid = await contender.run(amounts);
  if (paid.join() !== amounts.join()) throw new Error(`${name} paid ${paid.join()} (expected ${amounts.join()})`);
};
// Warms up connections, plans and compiled functions.
for (let batch = 0; batch < 20; batch += 1) await runBatch();
const before = performance.now();
for (let batch = 0; batch < Number(count); batch += 1) await runBatch();
const took = performance.now() - before;
await contender.close();
process.stdout.write(JSON.stringify({ perSecond: (Number(size) * Number(count) * 1_000) / took }));
