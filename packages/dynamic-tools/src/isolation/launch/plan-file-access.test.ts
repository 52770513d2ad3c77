import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, readdir, realpath, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createJail } from '@haft/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPluginFolder, type PluginFolder } from '../../fixtures/plugin-folder.ts';
import { planFileAccess } from './plan-file-access.ts';

const jail = await createJail({ policy: 'required' });
const hasJail = jail.ok;
if (!jail.ok && process.env['HAFT_JAIL'] === 'required') throw new Error(jail.message);
if (!jail.ok) process.stderr.write(`plan-reach.test.ts: the jail is not tested here: ${jail.message}\n`);

let project: string;
beforeEach(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), 'haft-reach-')));
});
afterEach(async () => {
  await rm(project, { recursive: true, force: true });
});

async function write(path: string, text = 'text'): Promise<void> {
  await mkdir(dirname(join(project, path)), { recursive: true });
  await writeFile(join(project, path), text);
}

const at = (path: string): string => join(project, path);

describe('planFileAccess', () => {
  it('excludes secrets in a folder under each of their names', async () => {
    for (const path of ['.env', 'sub/deep/id_ed25519', 'sub/.env.local', 'a.txt', '.git/config', 'keys/.gnupg/ring'])
      await write(path);
    await link(at('.env'), at('notes.txt'));
    const reach = await planFileAccess(project, { read: ['.'] }, true);
    expect(reach).toMatchObject({ read: [project], write: [], closed: [] });
    expect(typeof reach === 'object' && reach.hidden.toSorted()).toEqual(
      ['.env', 'keys/.gnupg', 'notes.txt', 'sub/.env.local', 'sub/deep/id_ed25519'].map(at),
    );
  });

  it('denies writes to files that other programs run or trust, and keeps the names of their parent folders', async () => {
    for (const path of ['.git/hooks/pre-commit', '.vscode/tasks.json', 'sub/.git/HEAD', 'sub/deep/.envrc', 'a.txt'])
      await write(path);
    expect(await planFileAccess(project, { write: ['.'] }, true)).toEqual({
      read: [],
      write: expect.arrayContaining([project, at('sub'), at('sub/deep')]),
      closed: expect.arrayContaining(['.git', '.vscode', 'sub/.git', 'sub/deep/.envrc'].map(at)),
      hidden: [],
      release: expect.any(Function),
    });
  });

  it('denies writes to paths that git settings name, existing or not, until they are released', async () => {
    execFileSync('git', ['init', '--quiet', project], { stdio: 'ignore' });
    const settings = '[core]\n\thooksPath = dev/hooks\n[include]\n\tpath = ../shared.ini\n\tpath = ../none/b.ini\n';
    await write('.git/config', settings);
    await write('shared.ini');
    const reach = await planFileAccess(project, { write: ['.'] }, true);
    if (typeof reach === 'string') throw new Error(reach);
    expect(reach.closed).toEqual(expect.arrayContaining(['.git', 'shared.ini', 'dev/hooks', 'none/b.ini'].map(at)));
    expect(reach.write).toEqual(expect.arrayContaining([at('dev'), at('none')]));
    reach.release();
    await expect.poll(() => readdir(project)).toEqual(['.git', 'shared.ini']);
  });

  it('refuses a folder without a jail when git settings name a path in it', async () => {
    execFileSync('git', ['init', '--quiet', project], { stdio: 'ignore' });
    await write('.git/config', '[core]\n\thooksPath = open\n');
    await write('open/deep/a.txt');
    expect(await planFileAccess(project, { write: ['open/deep'] }, false)).toMatch(/includes a protected path/);
  });

  it.each([
    [{ read: ['.env'] }, /the grant of \.env includes a protected path \(\*\*\/\.env\)/],
    [{ read: ['sub/../.env'] }, /includes a protected path/],
    [{ read: ['alias'] }, /contains a link/],
    [{ write: ['.git/hooks'] }, /the grant of hooks includes a protected path/],
    [{ write: ['.git'] }, /includes a protected path/],
    [{ write: ['.mcp.json'] }, /includes a protected path/],
  ])('refuses to grant a protected path: %j', async (fs, message) => {
    for (const path of ['.env', '.git/hooks/pre-commit']) await write(path);
    await symlink('.env', at('alias'));
    await mkdir(at('sub'));
    expect(await planFileAccess(project, fs, true)).toMatch(message);
  });

  it.each<[{ read?: string[]; write?: string[] }]>([
    [{ read: ['data'] }],
    [{ read: ['sub/data/deep'] }],
    [{ write: ['data'] }],
    [{ write: ['sub'], read: ['sub/data'] }],
  ])('does not follow a link out of the folder: %j', async (fs) => {
    const far = await realpath(await mkdtemp(join(tmpdir(), 'haft-far-')));
    try {
      await mkdir(join(far, 'deep'));
      await mkdir(at('sub'));
      await symlink(far, at('data'));
      await symlink(far, at('sub/data'));
      expect(await planFileAccess(project, fs, true)).toMatch(/contains a link/);
      const [read = [], write = []] = [fs.read ?? [], fs.write ?? []].map((paths) => paths.map(at));
      if (fs.read && fs.write) expect(await planFileAccess('/x', { read, write }, true)).toMatch(/contains a link/);
      expect(await planFileAccess('/x', { read, write }, true, true)).toMatch(/contains a link/);
    } finally {
      await rm(far, { recursive: true });
    }
  });

  it('refuses a folder with protected paths without a jail, and accepts others', async () => {
    await write('open/a.txt');
    await write('.env');
    expect(await planFileAccess(project, { read: ['.'] }, false)).toMatch(/only a jail can hide/);
    expect(await planFileAccess(project, { read: ['open'], write: ['open'] }, false)).toMatchObject({
      read: [at('open')],
    });
  });
});

const body = (
  code: string,
): string => `export default { name: 'x', version: '1.0.0', tools: [{ name: 'act', description: 'Acts.', input: { type: 'object' },
  execute: async ({ root }) => { const fs = await import('node:fs'); const say = (act) => { try { return String(act() ?? 'done'); } catch (error) { return error.code ?? 'failed'; } }; ${code} } }] };`;

describe.skipIf(!hasJail)('jailed plugin with grants', () => {
  let folder: PluginFolder | undefined;
  afterEach(async () => {
    await folder?.end();
    folder = undefined;
  });
  const start = async (code: string, grants: object): Promise<PluginFolder> => {
    folder = await openPluginFolder({
      isolation: 'process',
      jail: 'required',
      loadTimeoutMs: 30_000,
      grants: { x: grants },
    });
    await folder.write('x.mjs', body(code));
    await folder.loader.ready;
    return folder;
  };

  it('reads a folder without its secrets, also through programs it starts', async () => {
    await write('.env', 'secret');
    await write('a.txt', 'open');
    await link(at('.env'), at('b.txt'));
    const code = `const { execFileSync } = await import('node:child_process');
      return [say(() => fs.readFileSync(root + '/a.txt', 'utf8')), say(() => fs.readFileSync(root + '/.env', 'utf8')), say(() => fs.readFileSync(root + '/b.txt', 'utf8')),
        say(() => execFileSync('/bin/cat', [root + '/.env'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).includes('secret'))].join();`;
    const plugin = await start(code, { exec: true, fs: { read: [project] } });
    expect(await plugin.text('act', { root: project })).toMatch(/^open,(?:|EACCES),(?:|EACCES),(?:false|failed)$/);
  });

  it("can't read a secret that was created after its process ended", async () => {
    await write('a.txt', 'open');
    const code = `if (fs.existsSync(root + '/stop')) process.exit(3); return say(() => fs.readFileSync(root + '/.env', 'utf8'));`;
    const plugin = await start(code, { fs: { read: [project] } });
    expect(await plugin.text('act', { root: project })).toBe('ENOENT');
    await write('stop');
    expect((await plugin.call('act', { root: project })).ok).toBe(false);
    await unlink(at('stop'));
    await write('.env', 'secret');
    await expect.poll(() => plugin.text('act', { root: project }), { timeout: 20_000 }).toMatch(/^(?:|EACCES)$/);
  });

  it("writes a folder except hooks, settings and secrets, and can't move their parent folders", async () => {
    execFileSync('git', ['init', '--quiet', project], { stdio: 'ignore' });
    for (const path of ['.env', '.vscode/tasks.json', 'sub/.git/HEAD', '.npmrc']) await write(path, 'before');
    const code = `const put = (path) => say(() => fs.writeFileSync(root + '/' + path, 'evil'));
      return [put('free.txt'), put('sub/free.txt'), put('.git/hooks/pre-commit'), put('.git/config'), put('.vscode/tasks.json'), put('.npmrc'), put('.env'), put('sub/.git/HEAD'),
        say(() => fs.renameSync(root + '/.git', root + '/old')), say(() => fs.renameSync(root + '/sub', root + '/old')), say(() => fs.unlinkSync(root + '/.env'))].join();`;
    const plugin = await start(code, { fs: { write: [project] } });
    expect(await plugin.text('act', { root: project })).toMatch(/^done,done(?:,(?:EROFS|EACCES|EBUSY|EPERM)){9}$/);
    expect((await readdir(project)).toSorted()).toEqual(['.env', '.git', '.npmrc', '.vscode', 'free.txt', 'sub']);
    await rename(at('sub'), at('moved'));
  });
});
