import { mkdir, mkdtemp, realpath, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createJail } from '@haft/sandbox';
import { afterEach, describe, expect, it } from 'vitest';
import { openPluginFolder, pluginSource, type PluginFolder } from '../fixtures/plugin-folder.ts';
import type { PluginLoaderOptions } from '../index.ts';

const jail = await createJail({ policy: 'required' });
const hasJail = jail.ok;
if (!jail.ok && process.env['HAFT_JAIL'] === 'required') throw new Error(jail.message);
if (!jail.ok) process.stderr.write(`plugin-place.test.ts: the jail is not tested here: ${jail.message}\n`);
const open: PluginFolder[] = [];
const grounds: string[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.end()));
  for (const ground of grounds.splice(0)) await rm(ground, { recursive: true, force: true });
});

async function outside(): Promise<string> {
  const ground = await realpath(await mkdtemp(join(tmpdir(), 'haft-outside-')));
  grounds.push(ground);
  return ground;
}

async function start(options: Partial<PluginLoaderOptions> = {}): Promise<PluginFolder> {
  const folder = await openPluginFolder({ isolation: 'process', jail: 'off', loadTimeoutMs: 30_000, ...options });
  open.push(folder);
  return folder;
}

/** This module sets a marker in the program that runs it. */
const marking = (name: string): string => `globalThis.${name} = true; ${pluginSource(name, 'x')}`;
const hasRun = (name: string): boolean => name in globalThis;

describe('id of a trusted plugin', () => {
  it.each([
    ['a file beside its folder', 'beside_a/index.mjs', 'beside_a.mjs'],
    ['a folder beside its file', 'beside_b.mjs', 'beside_b/index.mjs'],
    ['another kind of file', 'beside_c.mjs', 'beside_c.ts'],
    ['a JavaScript file beside TypeScript', 'beside_d.ts', 'beside_d.js'],
    ['a name in other letters', 'beside_e/index.mjs', 'Beside_E.mjs'],
    ['a folder in other letters', 'beside_f.mjs', 'BESIDE_F/index.mjs'],
  ])('is never shared: %s', async (_, trusted, other) => {
    const id = /^[a-z_]+/.exec(trusted)![0];
    const folder = await start({ trusted: [id, other.split(/[./]/)[0]!] });
    await folder.write(trusted, marking(`${id}_own`));
    await folder.write(other, marking(`${id}_other`));
    await folder.loader.ready;
    const plugins = folder.loader.plugins();
    expect(plugins).toHaveLength(2);
    for (const plugin of plugins)
      expect(plugin).toMatchObject({
        state: 'failed',
        tools: [],
        failure: { phase: 'register', message: expect.stringContaining('has the same id; rename or remove') },
      });
    // Neither plugin ran, because it is unknown which one was trusted.
    expect([hasRun(`${id}_own`), hasRun(`${id}_other`)]).toEqual([false, false]);
  });

  it('belongs to the plugin that is served, and is free again after that plugin is removed', async () => {
    const folder = await start({ trusted: ['kept'] });
    await folder.write('kept/index.mjs', marking('kept_own'));
    await folder.loader.ready;
    await folder.write('kept.mjs', marking('kept_other'));
    await folder.event('failed', 'kept');
    expect(await folder.text('kept_own')).toBe('x');
    expect(hasRun('kept_other')).toBe(false);
    await folder.write('kept/index.mjs', marking('kept_newer'));
    await folder.event('failed', 'kept');
    expect([hasRun('kept_newer'), await folder.text('kept_own')]).toEqual([false, 'x']);
    await unlink(join(folder.directory, 'kept.mjs'));
    await folder.event('replaced', 'kept');
    expect(await folder.text('kept_newer')).toBe('x');
  });

  it('may equal the name of a folder without an entry file', async () => {
    const folder = await start({ trusted: ['lone'] });
    await folder.write('lone/data.txt', 'data');
    await folder.write('lone.mjs', marking('lone_own'));
    await folder.loader.ready;
    expect(await folder.text('lone_own')).toBe('x');
  });
});

describe('link in the plugin folder', () => {
  it.each(['folder', 'file'])('is not trusted because it is named like a trusted plugin (%s)', async (kind) => {
    const ground = await outside();
    const name = `link_${kind}`;
    await writeFile(join(ground, 'index.mjs'), marking(`${name}_own`));
    const folder = await start({ trusted: [name] });
    if (kind === 'folder') await symlink(ground, join(folder.directory, name));
    else await symlink(join(ground, 'index.mjs'), join(folder.directory, `${name}.mjs`));
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([
      { state: 'failed', failure: { phase: 'isolate', message: expect.stringContaining('trusted') } },
    ]);
    expect(hasRun(`${name}_own`)).toBe(false);
  });

  it('does not lead a trusted plugin to the code of another plugin', async () => {
    const folder = await start({ trusted: ['link_entry', 'link_twin'] });
    await folder.write('stranger/index.mjs', marking('link_stranger'));
    await mkdir(join(folder.directory, 'link_entry'));
    await symlink('../stranger/index.mjs', join(folder.directory, 'link_entry/index.mjs'));
    await symlink('stranger', join(folder.directory, 'link_twin'));
    await folder.loader.ready;
    for (const id of ['link_entry', 'link_twin'])
      expect(folder.loader.plugins().find((one) => one.id === id)).toMatchObject({
        state: 'failed',
        failure: { phase: 'isolate' },
      });
    expect(hasRun('link_stranger')).toBe(false);
  });

  it('is not run if it replaces a trusted plugin later', async () => {
    const ground = await outside();
    await writeFile(join(ground, 'index.mjs'), marking('late_link'));
    const folder = await start({ trusted: ['late'] });
    await folder.write('late/index.mjs', marking('late_own'));
    await folder.loader.ready;
    await rename(join(folder.directory, 'late'), join(ground, 'moved'));
    await symlink(ground, join(folder.directory, 'late'));
    await folder.until(() => folder.loader.plugins()[0]?.failure?.phase === 'isolate');
    expect(hasRun('late_link')).toBe(false);
  });

  it('is refused for an untrusted plugin if it leads outside', async () => {
    const ground = await outside();
    await writeFile(join(ground, 'index.mjs'), pluginSource('far', 'x'));
    await writeFile(join(ground, 'secret.txt'), 'secret');
    const folder = await start();
    await symlink(ground, join(folder.directory, 'far'));
    await folder.write('near/index.mjs', pluginSource('near', 'x'));
    await symlink('near', join(folder.directory, 'alias'));
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([
      {
        id: 'alias',
        state: 'failed',
        failure: { phase: 'isolate', message: expect.stringContaining('leads outside the folder') },
      },
      { id: 'far', state: 'failed', failure: { phase: 'isolate' } },
      { id: 'near', state: 'live' },
    ]);
  });

  it('may lead to files that all plugins share', async () => {
    const folder = await start();
    await folder.write('_source/shared/index.mjs', pluginSource('shared_tool', 'x'));
    await symlink('_source/shared', join(folder.directory, 'shared'));
    await folder.loader.ready;
    expect(await folder.text('shared_tool')).toBe('x');
  });
});

describe.skipIf(!hasJail)('jailed plugin', () => {
  const looking = `const fs = await import('node:fs'); const look = (path) => { try { return fs.readdirSync(path).join('+') || 'empty'; } catch (error) { try { return fs.readFileSync(path, 'utf8'); } catch (inner) { return inner.code; } } };`;
  const source = `${looking} export default { name: 'x', version: '1.0.0', tools: [{ name: 'act', description: 'Acts.', input: { type: 'object' }, execute: ({ paths }) => paths.map(look).join() }] };`;

  it.each(['x.mjs', 'x/index.mjs'])(
    'sees its own and the shared files, but not those of links or siblings (%s)',
    async (entry) => {
      const ground = await outside();
      await writeFile(join(ground, 'secret.txt'), 'secret');
      const folder = await start({ jail: 'required' });
      await folder.write(entry, source);
      await folder.write('_lib/word.mjs', 'export const word = 1;');
      await folder.write('sibling/.env', 'secret');
      await folder.write('sibling/index.mjs', pluginSource('sibling', 'x'));
      await folder.write('.env', 'secret');
      await symlink(ground, join(folder.directory, '_ssh'));
      await symlink(join(ground, 'secret.txt'), join(folder.directory, '_secret'));
      await symlink('sibling', join(folder.directory, '_sibling'));
      await symlink(ground, join(folder.directory, '_lib/out'));
      await folder.loader.ready;
      const at = (path: string): string => join(folder.directory, path);
      const paths = [
        ground,
        join(ground, 'secret.txt'),
        ...[
          '_ssh',
          '_ssh/secret.txt',
          '_secret',
          '_sibling/.env',
          '_lib/out/secret.txt',
          'sibling',
          'sibling/.env',
          '.env',
        ].map(at),
      ];
      expect(await folder.text('act', { paths })).toMatch(/^(?:(?:ENOENT|ERR_ACCESS_DENIED|EACCES),?){10}$/);
      expect(await folder.text('act', { paths: [at('_lib')] })).toBe('out+word.mjs');
    },
  );
});
