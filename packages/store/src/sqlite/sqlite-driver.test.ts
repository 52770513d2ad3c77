import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { createStore } from '../open/create-store.ts';
import { describeStore } from '../testing.ts';

describe('a store in a SQLite file', () => {
  describeStore(
    { describe, it, expect },
    {
      async create() {
        const folder = await mkdtemp(join(tmpdir(), 'haft-store-'));
        return {
          open: () => createStore({ url: `file:${join(folder, 'haft.db')}`, onWarning: () => undefined }),
          remove: () => rm(folder, { recursive: true }),
        };
      },
      isShared: true,
    },
  );
});
