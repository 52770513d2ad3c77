import { join } from 'node:path';

import { createStore } from '@haft/store';
import Sqlite from 'better-sqlite3';
import pg from 'pg';

import type { DocumentDatabase, SampleDocument } from './document-database.ts';

/** Every database by name, given a folder for a file or the URL of a server. */
export const databases: Readonly<Record<string, (place: string) => Promise<DocumentDatabase>>> = {
  haft: (place) => openHaft(place.startsWith('postgres:') ? place : `file:${join(place, 'haft.db')}`),
  memory: () => openHaft('memory:'),
  'better-sqlite3': async (folder) => openSqlite(folder),
  pg: openPostgres,
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

/** The minimum on a server, over one connection. */
async function openPostgres(url: string): Promise<DocumentDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create table documents (key text primary key, value text not null)');
  const text =
    'insert into documents (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value';
  return {
    set: (key, value) => client.query({ name: 'set', text, values: [key, JSON.stringify(value)] }),
    async get(key) {
      const question = { name: 'get', text: 'select value from documents where key = $1', values: [key] };
      const { rows } = await client.query<{ value: string }>(question);
      return JSON.parse(rows[0]?.value ?? 'null') as unknown;
    },
    close: () => client.end(),
  };
}
