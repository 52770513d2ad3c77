/** Writes the database that this package ships, unless the file of an earlier build has the same version. */
import { copyFile, readFile, rename, writeFile } from 'node:fs/promises';

import { PGlite } from '@electric-sql/pglite';

import { archiveOf, shippedDatabase, versionOfDatabase } from '../src/engine/new-database.ts';
import { pack, unpack } from '../src/engine/packed-file.ts';
import { engineOf } from '../src/engine/pglite-engine.ts';
import { prepareTables } from '../src/ledger/prepare-tables.ts';
import { defaultSchema, newTables } from '../src/ledger/tables.ts';
import { openTicketQueue } from '../src/ledger/ticket-queue.ts';

const file = shippedDatabase();
await copyFile(new URL('postgresql-license.txt', import.meta.url), new URL('new-database-license.txt', file));
const version = await versionOfDatabase(newTables);
if (version === undefined) throw new Error('@electric-sql/pglite or pg-boss is missing (run "pnpm install" first)');
const earlier = await readFile(file).catch(() => undefined);
if ((await unpack(earlier, version)) === undefined) {
  const database = await PGlite.create();
  const engine = engineOf(database, () => undefined);
  await prepareTables(engine, defaultSchema);
  const queue = await openTicketQueue(engine, defaultSchema, (error) => {
    throw error;
  });
  await queue.stop();
  // Nothing creates databases from these templates, which are two thirds of the files.
  await database.exec('update pg_database set datistemplate = false');
  for (const name of ['template0', 'template1']) await database.exec(`drop database ${name}`);
  const unfinished = new URL(`${file.href}.${process.pid}`);
  await writeFile(unfinished, await pack(await archiveOf(database), version, true));
  await rename(unfinished, file);
  await engine.close();
}
