/** Writes documents and prints the time. Arguments: name of the database, its location, number of documents. */
import { isDeepStrictEqual } from 'node:util';
import { makeDocument } from '@haft-tooling/peers/stores/document-database';
import { databases } from '@haft-tooling/peers/stores/databases';

/** Number of sets and gets per second. */
export interface Pace {
  readonly sets: number;
  readonly gets: number;
}

const [name = '', place = '', count = '0'] = process.argv.slice(2);
const documents = Number(count);
const database = await databases[name]?.(place);
if (database === undefined) throw new Error(`unknown database "${name}"`);
// Half of the writes create a document, the others change one.
const keyOf = (index: number): string => `document/${index % Math.ceil(documents / 2)}`;

const beforeSets = performance.now();
for (let index = 0; index < documents; index += 1) await database.set(keyOf(index), makeDocument(index));
const sets = performance.now() - beforeSets;

let last: unknown;
const beforeGets = performance.now();
for (let index = 0; index < documents; index += 1) last = await database.get(keyOf(index));
const gets = performance.now() - beforeGets;

if (!isDeepStrictEqual(last, makeDocument(documents - 1))) throw new Error(`${name} did not store its documents`);
await database.close();
const pace: Pace = { sets: (documents / sets) * 1_000, gets: (documents / gets) * 1_000 };
process.stdout.write(JSON.stringify(pace));
