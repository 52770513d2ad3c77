import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { UsageError } from '../program/usage-error.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';
import { checkFolder, writeProject } from './write-project.ts';

const files = new Map([
  ['package.json', '{}'],
  ['src/a/main.ts', 'main'],
]);
const check = (folder: string, merge = false): void => checkFolder(folder, files.keys(), { merge, shown: 'here' });

describe('checkFolder', () => {
  it('accepts a missing folder, an empty one, and one that a new repository or an editor has made', () => {
    const folder = createTemporaryFolder(onTestFinished, { 'new/.git/HEAD': '', 'new/.vscode/settings.json': '' });
    check(join(folder, 'missing'));
    check(join(folder, 'new'));
    check(createTemporaryFolder(onTestFinished));
  });

  it('refuses a folder with files, and names them and the option', () => {
    const folder = createTemporaryFolder(onTestFinished, { 'a.txt': '', 'b.txt': '', 'c.txt': '', 'd.txt': '' });
    expect(() => check(folder)).toThrow(
      'here: the folder is not empty (it contains a.txt, b.txt and 2 more); choose another name, or add --merge',
    );
    check(folder, true);
  });

  it('refuses to overwrite a file, even with merge', () => {
    const folder = createTemporaryFolder(onTestFinished, { 'src/a/main.ts': 'mine' });
    expect(() => check(folder, true)).toThrow('here: src/a/main.ts would be overwritten');
  });

  it('refuses a file and a broken link in place of the folder', () => {
    const folder = createTemporaryFolder(onTestFinished, { file: '' });
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
    expect(() => check(join(folder, 'file'))).toThrow('it exists and is not a folder');
    expect(() => check(join(folder, 'link'))).toThrow('it exists and is not a folder');
  });
});

describe('writeProject', () => {
  it('writes all files with their folders', () => {
    const folder = join(createTemporaryFolder(onTestFinished), 'x', 'y');
    writeProject(folder, files);
    expect(readFileSync(join(folder, 'src/a/main.ts'), 'utf8')).toBe('main');
    expect(readdirSync(folder).toSorted()).toEqual(['package.json', 'src']);
  });

  it('removes everything it has written when one file fails, and nothing else', () => {
    const parent = createTemporaryFolder(onTestFinished, { 'x/src/a': 'a file where a folder is needed' });
    expect(() => writeProject(join(parent, 'x'), files)).toThrow(UsageError);
    expect(() => writeProject(join(parent, 'x'), files)).toThrow(/can't be written \(E\w+\), so nothing was created/);
    expect(readdirSync(join(parent, 'x'), { recursive: true })).toEqual(['src', join('src', 'a')]);

    const taken = createTemporaryFolder(onTestFinished, { 'x/src/a/main.ts': 'mine' });
    expect(() => writeProject(join(taken, 'x'), files)).toThrow('EEXIST');
    expect(readFileSync(join(taken, 'x/src/a/main.ts'), 'utf8')).toBe('mine');
    expect(existsSync(join(taken, 'x/package.json'))).toBe(false);
  });

  it.runIf(process.platform === 'linux')('fails, instead of hanging, where no folder can be created', () => {
    expect(() => writeProject('/proc/haft/project', files)).toThrow("can't be written");
  });
});
