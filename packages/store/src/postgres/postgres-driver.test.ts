import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createStore } from '../create-store.ts';
import { createPostgresCluster, postgresFolder } from '../fixtures/postgres-cluster.ts';
import type { PostgresCluster } from '../fixtures/postgres-cluster.ts';
import { describeStore } from '../testing.ts';

const isSkipped = postgresFolder === undefined && process.env['CI'] !== 'true';
if (isSkipped) {
  process.stderr.write('PostgreSQL is not tested: this machine has no initdb and postgres (Debian: postgresql).\n');
}

let cluster: PostgresCluster;
let places = 0;

beforeAll(async () => {
  if (!isSkipped) cluster = await createPostgresCluster();
}, 60_000);
afterAll(async () => {
  await cluster?.remove();
}, 60_000);

/** A schema of its own for each law: tables of the same names that nobody else sees. */
async function createPlace(): Promise<{ readonly url: string; remove(): Promise<void> }> {
  places += 1;
  const name = `place_${places}`;
  await cluster.execute(`create schema ${name}`);
  return {
    url: `${cluster.url()}&options=${encodeURIComponent(`-c search_path=${name}`)}`,
    remove: () => cluster.execute(`drop schema ${name} cascade`),
  };
}

describe.skipIf(isSkipped)('a store in PostgreSQL', () => {
  describeStore(
    { describe, it, expect },
    {
      async create() {
        const place = await createPlace();
        return {
          open: () => createStore({ url: place.url, onNotice: () => undefined }),
          remove: () => place.remove(),
        };
      },
      isShared: true,
    },
  );
});
