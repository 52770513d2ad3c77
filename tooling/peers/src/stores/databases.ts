import { join } from 'node:path';

import { createStore } from '@haft/store';
import Sqlite from 'better-sqlite3';

import type { DocumentDatabase, SampleDocument } from './document-database.ts';

/** Every database by name, given a folder for its file. */
export const databases: Readonly<Record<string, (folder: string) => Promise<DocumentDatabase>>> = {
  haft: (folder) => openHaft(`file:${join(folder, 'haft.db')}`),
  'better-sqlite3': async (folder) => openSqlite(folder),
};

async function openHaft(url: string): Promise<DocumentDatabase> {
  const store = await createStore({ url });
  const documents = store.collection('documents', (value) => value as SampleDocument);
  return {
    set: (key, value) => documents.set(key, value),
    get: async (key) => (await documents.get(key))?.value,
    close: () => store.close(),
  };
}

/** The minimum for a durable document in a file: two columns, two prepared statements. */
function openSqlite(folder: string): DocumentDatabase {
  const database = new Sqlite(join(folder, 'bare.db'));
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = full');
  database.exec('create table documents (key text primary key, value text not null)');
  const set = database.prepare(
    'insert into documents (key, value) values (?, ?) on conflict (key) do update set value = excluded.value',
  );
  const get = database.prepare<[string], string>('select value from documents where key = ?').pluck();
  return {
    set: (key, value) => set.run(key, JSON.stringify(value)),
    get: (key) => JSON.parse(get.get(key) ?? 'null') as unknown,
    close: () => database.close(),
  };
}
