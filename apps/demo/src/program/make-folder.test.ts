import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';
import { makeFolder } from './make-folder.ts';
import { UsageError } from './usage-error.ts';

test('makeFolder creates all missing folders', async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  makeFolder(join(folder, 'a', 'b'));
  makeFolder(join(folder, 'a', 'b'));
  expect(existsSync(join(folder, 'a', 'b'))).toBe(true);
});

test('makeFolder says what to do where no folder can be created, and leaves none', async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file', 'a'))).toThrow(UsageError);
  expect(() => makeFolder(join(folder, 'file', 'a'))).toThrow(/can't be created \(ENOTDIR\): choose a folder/);
  expect(() => makeFolder(join(folder, 'new', `\0`))).toThrow(UsageError);
  expect(existsSync(join(folder, 'new'))).toBe(false);
});

test.runIf(process.platform === 'linux')('makeFolder does not hang in /proc', () => {
  expect(() => makeFolder('/proc/haft/plugins')).toThrow("/proc/haft/plugins can't be created");
});
