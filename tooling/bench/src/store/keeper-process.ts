/** Keeps documents and says how long it took: the keeper's name, its place, and how many, in the arguments. */
import { isDeepStrictEqual } from 'node:util';

import { makeDocument } from '@haft-tooling/peers/stores/keeper';
import { keepers } from '@haft-tooling/peers/stores/keepers';

const [name = '', place = '', count = '0'] = process.argv.slice(2);
const documents = Number(count);
const keeper = await keepers[name]?.(place);
if (keeper === undefined) throw new Error(`nothing is called ${name}`);
// Half of the writes make a document, the others change one.
const keyOf = (index: number): string => `document/${index % Math.ceil(documents / 2)}`;

const beforeSets = performance.now();
for (let index = 0; index < documents; index += 1) await keeper.set(keyOf(index), makeDocument(index));
const sets = performance.now() - beforeSets;

let last: unknown;
const beforeGets = performance.now();
for (let index = 0; index < documents; index += 1) last = await keeper.get(keyOf(index));
const gets = performance.now() - beforeGets;

if (!isDeepStrictEqual(last, makeDocument(documents - 1))) throw new Error(`${name} did not keep what it was given`);
await keeper.close();
process.stdout.write(JSON.stringify({ sets: (documents / sets) * 1_000, gets: (documents / gets) * 1_000 }));
