import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listConfinedDirectory } from '../files/confined-stat.ts';
import { readConfinedFile } from '../files/confined-read.ts';
import { writeConfinedFile } from '../files/confined-write.ts';
import { hashContent } from '../files/content-hash.ts';
import { startSwapping } from '../fixtures/start-swapping.ts';
import { protectDefaultPaths } from '../protection/path-protection.ts';
import { resolvePath } from '../paths/resolve-path.ts';
import { isSpecialWindowsName } from '../paths/special-windows-names.ts';
import {
  actors,
  guard,
  createVectorWorkspace,
  runJailed,
  secret,
  skip,
  type VectorWorkspace,
} from '../fixtures/vector-workspace.ts';

interface PathVector {
  readonly number: number;
  readonly name: string;
  readonly prepare?: (workspace: VectorWorkspace) => void;
  /** Paths outside the root, or that are not files: they must not be read or written. */
  readonly closed: (workspace: VectorWorkspace) => readonly string[];
  /** Whether to test writing too. Not set if a jail may create a file of that name inside. */
  readonly writes?: boolean;
}

const vectors: readonly PathVector[] = [
  {
    number: 1,
    name: 'dots and absolute paths that lead outside',
    closed: ({ outside }) => [`../outside/secret.txt`, '../../../../../../etc/shadow', join(outside, 'secret.txt')],
    writes: true,
  },
  {
    number: 2,
    name: 'a directory whose name starts with the name of the root',
    prepare: ({ root }) => {
      mkdirSync(`${root}-evil`);
      writeFileSync(`${root}-evil/x`, secret);
    },
    closed: ({ root }) => [`${root}-evil/x`, `../${basename(root)}-evil/x`],
  },
  {
    number: 4,
    name: 'a link to a file outside',
    prepare: ({ root, outside }) => symlinkSync(join(outside, 'secret.txt'), join(root, 'link')),
    closed: () => ['link'],
    writes: true,
  },
  {
    number: 5,
    name: 'a link to a directory outside, and its content',
    prepare: ({ root, outside }) => symlinkSync(outside, join(root, 'dir')),
    closed: () => ['dir/secret.txt', 'dir/folder/deep.txt', 'dir/new.txt'],
    writes: true,
  },
  {
    number: 7,
    name: 'a chain of links that ends outside',
    prepare: ({ root, outside }) => {
      symlinkSync('b', join(root, 'a'));
      symlinkSync('c', join(root, 'b'));
      symlinkSync(join(outside, 'secret.txt'), join(root, 'c'));
    },
    closed: () => ['a', 'b', 'c'],
    writes: true,
  },
  {
    number: 8,
    name: 'a loop of links',
    prepare: ({ root }) => {
      symlinkSync('y', join(root, 'x'));
      symlinkSync('x', join(root, 'y'));
    },
    closed: () => ['x', 'y', 'x/z'],
    writes: true,
  },
  {
    number: 9,
    name: 'a new file below a link that leads outside',
    prepare: ({ root, outside }) => symlinkSync(outside, join(root, 'dir')),
    closed: () => ['dir/made.txt'],
    writes: true,
  },
  {
    number: 10,
    name: 'new directories with a link in the middle',
    prepare: ({ root, outside }) => {
      mkdirSync(join(root, 'one'));
      symlinkSync(outside, join(root, 'one/two'));
    },
    closed: () => ['one/two/three/four/made.txt'],
    writes: true,
  },
  {
    number: 11,
    name: 'a dangling link',
    prepare: ({ root, outside }) => symlinkSync(join(outside, 'not-yet.txt'), join(root, 'dangling')),
    closed: () => ['dangling'],
    writes: true,
  },
  {
    number: 15,
    name: 'the root directories of processes',
    closed: ({ outside }) => [
      `/proc/self/root${outside}/secret.txt`,
      `/proc/1/root${outside}/secret.txt`,
      `/proc/${process.pid}/root${outside}/secret.txt`,
    ],
    writes: true,
  },
  {
    number: 16,
    name: 'working directories, environments and memory of processes',
    closed: ({ outside }) => [
      `/proc/${process.pid}/cwd/package.json`,
      `/proc/${process.pid}/environ`,
      `/proc/${process.pid}/mem`,
      '/proc/kcore',
      `/proc/self/cwd/../${basename(outside)}/secret.txt`,
    ],
  },
  {
    number: 18,
    name: 'a link inside the root to the root of a process',
    prepare: ({ root }) => symlinkSync('/proc/self/root', join(root, 'up')),
    closed: ({ outside }) => [`up${outside}/secret.txt`],
    writes: true,
  },
  {
    number: 22,
    name: 'full-width dots and slashes, which are letters',
    closed: () => ['．．/outside/secret.txt', '..／outside／secret.txt', '..∕outside∕secret.txt'],
  },
  { number: 24, name: 'a NUL', closed: () => ['ok.txt\0', '../outside/secret.txt\0.txt'], writes: true },
  {
    number: 32,
    name: 'a file with a trailing slash',
    closed: () => ['ok.txt/', 'ok.txt/.'],
    writes: true,
  },
];

describe.each(actors)('path vectors $name', (actor) => {
  it.each(vectors)('vector $number: $name', async ({ prepare, closed, writes }) => {
    const workspace = createVectorWorkspace();
    prepare?.(workspace);
    const before = workspace.readOutside();
    for (const path of closed(workspace)) {
      expect([path, await actor.read(workspace, path)]).toEqual([path, undefined]);
      if (writes === true && actor === guard) expect([path, await actor.write(workspace, path)]).toEqual([path, false]);
      // In a jail, a command may write to its private file system.
      else if (writes === true) await actor.write(workspace, path);
    }
    expect(workspace.readOutside()).toBe(before);
  });

  it('vector 3: dots that stay inside the root are resolved', async () => {
    const workspace = createVectorWorkspace();
    mkdirSync(join(workspace.root, 'a'));
    expect(await actor.read(workspace, 'a/../ok.txt')).toBe('fine');
    expect(await actor.read(workspace, join(workspace.root, 'a/./../ok.txt'))).toBe('fine');
  });

  it('vector 6: a link inside the root is read, but tools do not write through it', async () => {
    const workspace = createVectorWorkspace();
    symlinkSync('ok.txt', join(workspace.root, 'near'));
    expect(await actor.read(workspace, 'near')).toBe('fine');
    if (actor === guard) expect(await actor.write(workspace, 'near')).toBe(false);
  });

  it('vector 14: a hard link to a file outside is refused, and a jail cannot create one', async () => {
    const workspace = createVectorWorkspace();
    linkSync(join(workspace.outside, 'secret.txt'), join(workspace.root, 'hard'));
    if (actor === guard) {
      expect(
        await readConfinedFile([workspace.root], join(workspace.root, 'hard'), { hardLinks: 'refuse' }),
      ).toMatchObject({
        code: 'HARD_LINKED',
      });
      expect(await actor.write(workspace, 'hard')).toBe(false);
      return;
    }
    // An existing hard link counts as a file of the root, but a new one cannot be created.
    const made = await runJailed(workspace.root, 'ln "$1" new || ln /usr/bin/env new', {
      args: [join(workspace.outside, 'secret.txt')],
    });
    expect(made.exitCode).not.toBe(0);
  });

  it('vector 17: descriptors and devices cannot be read by path', async () => {
    const workspace = createVectorWorkspace();
    for (const path of ['/dev/fd/0', '/dev/stdin', '/dev/tcp/127.0.0.1/1', '/dev/mem', '/dev/sda'])
      expect((await actor.read(workspace, path)) ?? '').toBe('');
  });

  it('vector 25: names with control characters are read', async () => {
    const workspace = createVectorWorkspace();
    for (const name of ['line\nbreak', 'bell\u0007', 'escape\u001b[31m']) {
      writeFileSync(join(workspace.root, name), 'odd');
      expect(await actor.read(workspace, actor === guard ? join(workspace.root, name) : name)).toBe('odd');
    }
  });

  it('vector 26: names and paths that are too long return NAME_TOO_LONG', async () => {
    const workspace = createVectorWorkspace();
    for (const path of ['x'.repeat(256), `${'d/'.repeat(3_000)}x`])
      expect(await actor.read(workspace, path)).toBeUndefined();
    const found = await readConfinedFile([workspace.root], join(workspace.root, 'x'.repeat(256)));
    expect(found).toMatchObject({ ok: false, code: 'NAME_TOO_LONG' });
  });

  it('vector 27: file URLs are decoded and then checked', async () => {
    const workspace = createVectorWorkspace();
    const inside = `file://${workspace.root}/ok%2etxt`;
    if (actor === guard) expect(await actor.read(workspace, inside)).toBe('fine');
    for (const path of [`file://${workspace.outside}/secret.txt`, 'file:///etc/passwd', '%2e%2e/outside/secret.txt'])
      expect(await actor.read(workspace, path)).toBeUndefined();
  });

  it('vector 28: home directories and variables are not expanded outside the root', async () => {
    const workspace = createVectorWorkspace();
    for (const path of ['~/.bashrc', '~root/.bashrc', '$HOME/.bashrc', '${HOME}/.bashrc'])
      expect(await actor.read(workspace, path)).toBeUndefined();
    expect(resolvePath({ cwd: workspace.root, path: '$HOME/x' })).toBe(join(workspace.root, '$HOME/x'));
  });

  it('vector 31: empty paths, dots and the root return IS_DIRECTORY', async () => {
    const workspace = createVectorWorkspace();
    for (const path of ['.', workspace.root, './']) expect(await actor.read(workspace, path)).toBeUndefined();
    const found = await readConfinedFile([workspace.root], resolvePath({ cwd: workspace.root, path: '' }));
    expect(found).toMatchObject({ ok: false, code: 'IS_DIRECTORY' });
  });
});

describe('path vectors for tools', () => {
  it(
    'vector 12: a directory that is repeatedly swapped for a link gives no access outside',
    { timeout: 30_000 },
    async () => {
      const workspace = createVectorWorkspace();
      mkdirSync(join(workspace.root, 'd'));
      writeFileSync(join(workspace.root, 'd/secret.txt'), 'own');
      const before = workspace.readOutside();
      const attacker = await startSwapping(workspace.root, workspace.outside);
      const until = performance.now() + (process.env['HAFT_TEST_LONG'] === '1' ? 10_000 : 1_000);
      let reads = 0;
      while (performance.now() < until) {
        const found = await guard.read(workspace, 'd/secret.txt');
        expect(found ?? 'own').toBe('own');
        await guard.write(workspace, 'd/made.txt');
        reads += 1;
      }
      await attacker.stop();
      expect(reads * attacker.swaps()).toBeGreaterThan(0);
      expect(workspace.readOutside()).toBe(before);
    },
  );

  it('vector 13: a file swapped between reading and writing returns CHANGED_ON_DISK', async () => {
    const { root } = createVectorWorkspace();
    const path = join(root, 'ok.txt');
    writeFileSync(path, 'changed meanwhile');
    const written = await writeConfinedFile([root], path, Buffer.from('mine'), { expectedHash: hashContent('fine') });
    expect(written).toMatchObject({ ok: false, code: 'CHANGED_ON_DISK' });
    expect(readFileSync(path, 'utf8')).toBe('changed meanwhile');
  });

  it('vector 19: file systems mounted inside a root belong to it unless oneFileSystem is set', async () => {
    // Every Linux has a mount in /dev.
    if (process.platform !== 'linux' || !existsSync('/dev/shm')) return skip(19, 'no mount to test');
    const folder = mkdtempSync('/dev/shm/haft-vector-');
    const path = join(folder, 'a');
    writeFileSync(path, 'mounted');
    const oneFileSystem = true;
    try {
      expect(await readConfinedFile(['/dev'], path)).toMatchObject({ ok: true, size: 7 });
      expect(await readConfinedFile([folder], path, { oneFileSystem })).toMatchObject({ ok: true });
      const refused = { ok: false, code: 'OUTSIDE_ROOTS' };
      expect(await readConfinedFile(['/dev'], path, { oneFileSystem })).toMatchObject(refused);
      for (const name of ['a', 'new', 'folder/new'])
        expect(
          await writeConfinedFile(['/dev'], join(folder, name), Buffer.from('x'), { oneFileSystem }),
        ).toMatchObject(refused);
      expect(readdirSync(folder)).toEqual(['a']);
      expect(readFileSync(path, 'utf8')).toBe('mounted');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('vector 20: protected names are protected in any case', () => {
    for (const name of ['.git/hooks/pre-commit', '.GIT/Hooks/pre-commit', '.Git/CONFIG', '.ENV'])
      expect(protectDefaultPaths(`/w/${name}`)).toBeDefined();
  });

  it('vector 21: protected names are protected in any Unicode composition', () => {
    for (const name of [
      '.git\u200d/config',
      '.g\u200cit/config',
      '.cla\u200Eude/settings.json',
      '.ｅｎｖ'.normalize('NFKC'),
    ])
      expect(protectDefaultPaths(`/w/${name}`)).toBeDefined();
  });

  it('vector 23: special names of Windows are recognized', () => {
    for (const name of ['NUL', 'con.txt', 'a::$DATA', 'trailing.', 'trailing '])
      expect([name, isSpecialWindowsName(name)]).toEqual([name, true]);
    expect(isSpecialWindowsName('plain.txt')).toBe(false);
  });

  it('vector 29: a mention prefix is removed unless the literal name exists', async () => {
    const workspace = createVectorWorkspace();
    expect(await guard.read(workspace, '@ok.txt')).toBe('fine');
    writeFileSync(join(workspace.root, '@literal'), 'literal');
    writeFileSync(join(workspace.root, 'literal'), 'other');
    expect(await guard.read(workspace, '@literal')).toBe('literal');
    expect(await guard.read(workspace, '@../outside/secret.txt')).toBeUndefined();
    expect(await guard.read(workspace, '"ok.txt"')).toBeUndefined();
  });

  it('vector 30: Windows paths are ordinary names on other systems', async () => {
    if (process.platform === 'win32') return skip(30, 'on Windows they are absolute paths');
    const workspace = createVectorWorkspace();
    for (const path of [String.raw`\\server\share`, String.raw`C:\x`, 'C:x', String.raw`\\?\C:\x`, '//outside/x'])
      expect(await guard.read(workspace, path)).toBeUndefined();
    writeFileSync(join(workspace.root, String.raw`a\b`), 'one name');
    expect(await guard.read(workspace, String.raw`a\b`)).toBe('one name');
  });

  it('vector 33: links to directories outside are listed as links, but not entered', async () => {
    const { root, outside } = createVectorWorkspace();
    symlinkSync(outside, join(root, 'dir'));
    const listing = await listConfinedDirectory([root], root);
    expect(listing.ok && listing.entries).toContainEqual({ name: 'dir', kind: 'link' });
    expect(await listConfinedDirectory([root], join(root, 'dir'))).toMatchObject({ code: 'OUTSIDE_ROOTS' });
  });

  it('vector 34: files of an archive or patch that lead outside are refused', async () => {
    const workspace = createVectorWorkspace();
    const before = workspace.readOutside();
    for (const path of ['../outside/new.txt', join(workspace.outside, 'new.txt'), 'a/../../outside/new.txt'])
      expect(await guard.write(workspace, path)).toBe(false);
    expect(workspace.readOutside()).toBe(before);
  });

  it('vector 35: protected files inside the root are refused, whether or not they exist', async () => {
    const { root } = createVectorWorkspace();
    for (const name of [
      '.git/hooks/pre-commit',
      '.git/config',
      '.vscode/tasks.json',
      '.mcp.json',
      '.envrc',
      '.claude/settings.json',
    ]) {
      const written = await writeConfinedFile([root], join(root, name), Buffer.from('x'));
      expect([name, written.ok ? 'written' : written.code]).toEqual([name, 'PROTECTED_PATH']);
    }
    expect(protectDefaultPaths(join(homedir(), '.bashrc'))).toBeDefined();
    const listing = await listConfinedDirectory([root], root);
    expect(listing.ok && listing.entries.map(({ name }) => name)).toEqual(['ok.txt']);
  });
});
