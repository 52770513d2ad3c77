import { silentLogger } from '@haft/core';
import { createStore, StoreError } from '@haft/store';
import { expect, it } from 'vitest';

import { openStore } from './open-store.ts';

it('keeps approvals in memory if the database package is missing, and warns once', async () => {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (message: string): void => void warnings.push(message) };
  const create: typeof createStore = (options) =>
    options.url === 'memory:'
      ? createStore(options)
      : Promise.reject(new StoreError('DRIVER_MISSING', 'the package better-sqlite3 is not installed'));
  for (let count = 0; count < 2; count += 1) {
    const opened = await openStore('file:approvals.db', logger, create);
    expect(opened.store.driver).toBe('memory');
    await opened.close();
  }
  expect(warnings).toEqual([
    'createToolkit: approvals are kept in memory, since the package better-sqlite3 is not installed',
  ]);
});

it('rejects with every other failure', async () => {
  const create = (): never => {
    throw new StoreError('NOT_A_STORE', 'it belongs to another program');
  };
  await expect(openStore('file:other.db', silentLogger, create)).rejects.toMatchObject({ code: 'NOT_A_STORE' });
});
