import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPlugin } from '../plugin/definition/find-plugin.ts';
import { openPluginFolder, pluginSource, type PluginFolder } from '../fixtures/plugin-folder.ts';
import { locateFailure } from '../files/locate-failure-in-files.ts';
import { createSourceReader, isOwnFile } from '../files/plugin-own-files.ts';

let ground = '';
const open: PluginFolder[] = [];
beforeEach(async () => {
  ground = await realpath(await mkdtemp(join(tmpdir(), 'haft-reads-')));
  await mkdir(join(ground, 'own'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.end()));
  await rm(ground, { recursive: true, force: true });
});

const inGround = (...names: readonly string[]): string => join(ground, ...names);
const hasPipes = process.platform !== 'win32';
const makePipe = (path: string): void => void execFileSync('mkfifo', [path]);

describe("host reads caused by a plugin's failure", () => {
  it("include the plugin's file that caused the failure", async () => {
    const file = inGround('own', 'a.mjs');
    await writeFile(file, `const x = 1;\nimport 'missing';\n`);
    const thrown = { name: 'Error', message: `Cannot find package 'missing' imported from ${file}`, stack: '' };
    const located = await locateFailure(thrown, new Set(), createSourceReader([inGround('own')]));
    expect(located).toMatchObject({ file, line: 2 });
  });

  it.runIf(hasPipes)('exclude devices, pipes, large files and files outside the plugin', async () => {
    await writeFile(inGround('foreign.mjs'), `import 'missing';\n`);
    await writeFile(inGround('own', 'large.mjs'), 'x'.repeat(1_000_001));
    await symlink(inGround('foreign.mjs'), inGround('own', 'link.mjs'));
    await symlink('/dev/zero', inGround('own', 'zero.mjs'));
    await symlink(ground, inGround('own', 'up'));
    makePipe(inGround('own', 'pipe.mjs'));
    const refused = ['large.mjs', 'link.mjs', 'zero.mjs', 'up/foreign.mjs', 'pipe.mjs'].map((name) =>
      inGround('own', name),
    );
    const files = [
      '/dev/zero',
      '/proc/self/environ',
      inGround('foreign.mjs'),
      `${ground}/own/../foreign.mjs`,
      ...refused,
    ];
    for (const file of files) {
      const thrown = { name: 'Error', message: `Cannot find package 'missing' imported from ${file}`, stack: '' };
      const located = await locateFailure(thrown, new Set([file]), createSourceReader([inGround('own')]));
      expect(located, file).toEqual({ message: thrown.message });
    }
  });

  it.runIf(hasPipes)('skip a pipe in the search for the file with a syntax error', async () => {
    makePipe(inGround('own', 'pipe.mjs'));
    await writeFile(inGround('own', 'broken.mjs'), 'const = 1;\n');
    const files = new Set(['broken.mjs', 'pipe.mjs'].map((name) => inGround('own', name)));
    const thrown = { name: 'SyntaxError', message: 'Missing initializer', stack: '' };
    const located = await locateFailure(thrown, files, createSourceReader([inGround('own')]));
    expect(located).toMatchObject({ file: inGround('own', 'broken.mjs'), line: 1 });
  });

  it('follow the same rules for an isolated plugin', async () => {
    const folder = await openPluginFolder({ isolation: 'process', jail: 'off', loadTimeoutMs: 30_000 });
    open.push(folder);
    await writeFile(inGround('foreign.mjs'), `import 'secret';\n`);
    const message = `Cannot find package 'secret' imported from ${inGround('foreign.mjs')}`;
    await folder.write('x.mjs', `throw new Error(${JSON.stringify(message)});`);
    await folder.loader.ready;
    const { failure } = await folder.event('failed', 'x');
    expect(failure.file).toBe('x.mjs');
  });

  it('ignore file names outside the plugin that a process reports', () => {
    const own = [inGround('own')];
    expect(isOwnFile(inGround('own', 'a.mjs'), own)).toBe(true);
    expect(isOwnFile(`${ground}/own/../foreign.mjs`, own)).toBe(false);
    expect(isOwnFile(`${ground}/ownership.mjs`, own)).toBe(false);
    expect(isOwnFile('own/a.mjs', own)).toBe(false);
    expect(isOwnFile(`${ground}/own/a\0.mjs`, own)).toBe(false);
  });
});

describe('manifest that is not a regular file', () => {
  it.runIf(hasPipes)('is refused without being opened and delays neither start nor close', async () => {
    const folder = await openPluginFolder();
    open.push(folder);
    await folder.write('good.mjs', pluginSource('good', 'good'));
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await mkdir(join(folder.directory, name));
      makePipe(join(folder.directory, name, name === 'a' ? 'package.json' : 'plugin.json'));
    }
    await folder.loader.ready;
    expect(await folder.text('good')).toBe('good');
    expect(folder.loader.plugins().find(({ id }) => id === 'b')?.failure).toMatchObject({
      phase: 'discover',
      message: 'plugin.json is not a regular file',
    });
  });

  it.runIf(hasPipes)('is refused as a device, a folder, a link outside or a large file', async () => {
    const said = async (name: string): Promise<unknown> => {
      const found = await findPlugin(inGround('own'));
      await rm(inGround('own', name), { recursive: true });
      return typeof found === 'object' && 'phase' in found ? found.message : found;
    };
    await symlink('/dev/zero', inGround('own', 'plugin.json'));
    expect(await said('plugin.json')).toMatch(/^plugin\.json is not readable/);
    await writeFile(inGround('foreign.json'), '{ "name": "foreign" }');
    await symlink(inGround('foreign.json'), inGround('own', 'plugin.json'));
    expect(await said('plugin.json')).toMatch(/^plugin\.json is not readable/);
    await mkdir(inGround('own', 'package.json'));
    expect(await said('package.json')).toBe('package.json is not a regular file');
    await writeFile(inGround('own', 'plugin.json'), `{${' '.repeat(300_000)}}`);
    expect(await said('plugin.json')).toMatch(/is larger than 262144 bytes/);
  });
});
