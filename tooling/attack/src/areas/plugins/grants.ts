import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import type { Attack } from '../../attack.ts';
import { acting, lay, loadFolder } from './load-folder.ts';

const before = `const fs = await import('node:fs'); const attempt = (act) => { try { return String(act()); } catch (error) { return String(error.code); } };`;

const secrets: readonly string[] = [
  '.env',
  '.env.production',
  'sub/deep/.env',
  'keys/server.pem',
  'id_rsa',
  '.ENV.local',
  '.aws/credentials',
  '.gnupg/secring.gpg',
  'visible.txt',
];

const byReading: Attack = {
  name: 'A plugin that may read a folder reads the secrets in it',
  needs: ['jail'],
  async run(ground) {
    lay(ground, {
      ...Object.fromEntries(secrets.map((path) => [`project/${path}`, 'SECRET'])),
      'project/a.txt': 'open',
    });
    // Another name of the first file.
    execFileSync('rm', [join(ground.directory, 'project/visible.txt')]);
    linkSync(join(ground.directory, 'project/.env'), join(ground.directory, 'project/visible.txt'));
    const root = join(ground.directory, 'project');
    lay(ground, {
      'plugins/x.mjs': acting(
        `const { execFileSync } = await import('node:child_process');
        const own = args.paths.map((path) => attempt(() => fs.readFileSync(path, 'utf8')));
        const others = args.paths.map((path) => attempt(() => execFileSync('/bin/cat', [path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })));
        return [fs.readFileSync(args.root + '/a.txt', 'utf8'), ...own, ...others].join();`,
        before,
      ),
    });
    const plugins = await loadFolder(ground, {
      jail: 'required',
      grants: { x: { exec: true, fs: { read: [root] } } },
    });
    const said = await plugins.text({ root, paths: secrets.map((path) => join(root, path)) });
    if (!said.startsWith('open')) return `the folder could not be read at all: ${said.slice(0, 200)}`;
    return said.includes('SECRET') ? 'it read a secret' : undefined;
  },
};

const direct: readonly { readonly read?: readonly string[]; readonly write?: readonly string[] }[] = [
  { read: ['.env'] },
  { read: ['../project/.env'] },
  { write: ['.git/hooks'] },
  { write: ['.git'] },
  { write: ['.vscode'] },
];

const byName = direct.map((fs): Attack => ({
  name: `A plugin is served with the grant ${JSON.stringify(fs)}`,
  async run(ground) {
    lay(ground, {
      'project/.env': 'SECRET',
      'project/.git/HEAD': 'x',
      'project/.git/hooks/a': 'x',
      'project/.vscode/a': 'x',
    });
    const at = (paths: readonly string[] = []): readonly string[] =>
      paths.map((path) => join(ground.directory, 'project', path));
    lay(ground, { 'plugins/x.mjs': acting(`return 'served';`) });
    const grants = { x: { fs: { read: at(fs.read), write: at(fs.write) } } };
    const { loader } = await loadFolder(ground, { jail: 'preferred', grants });
    return loader.plugins()[0]?.state === 'failed' ? undefined : 'it was served';
  },
}));

const byWriting: Attack = {
  name: 'A plugin that may write a folder plants files that run outside the jail',
  needs: ['jail', 'git'],
  async run(ground) {
    const root = join(ground.directory, 'project');
    lay(ground, {
      'project/.vscode/tasks.json': '{}',
      'project/.npmrc': '',
      'project/.husky/pre-commit': '',
      'project/sub/a.txt': '',
    });
    for (const folder of [root, join(root, 'sub')])
      execFileSync('git', ['init', '--quiet', folder], { stdio: 'ignore' });
    lay(ground, {
      'plugins/x.mjs': acting(
        `for (const path of ['.git/hooks/pre-commit', '.git/config', '.vscode/tasks.json', '.npmrc', '.husky/pre-commit', 'sub/.git/hooks/pre-commit']) attempt(() => fs.writeFileSync(args.root + '/' + path, 'EVIL', { mode: 0o755 }));
        for (const [from, to] of [['.git', 'old'], ['sub', 'older'], ['.husky', 'oldest']]) attempt(() => { fs.renameSync(args.root + '/' + from, args.root + '/' + to); fs.mkdirSync(args.root + '/' + from + '/hooks', { recursive: true }); fs.writeFileSync(args.root + '/' + from + '/hooks/pre-commit', 'EVIL'); });
        fs.writeFileSync(args.root + '/free.txt', 'free'); return 'done';`,
        before,
      ),
    });
    const plugins = await loadFolder(ground, { jail: 'required', grants: { x: { fs: { write: [root] } } } });
    const said = await plugins.text({ root });
    if (!existsSync(join(root, 'free.txt'))) return `the folder could not be written at all: ${said.slice(0, 200)}`;
    const planted = [
      '.git/hooks/pre-commit',
      '.git/config',
      '.vscode/tasks.json',
      '.npmrc',
      '.husky/pre-commit',
      '.husky/hooks/pre-commit',
      'sub/.git/hooks/pre-commit',
      'sub/hooks/pre-commit',
    ].filter((path) => existsSync(join(root, path)) && readFileSync(join(root, path), 'utf8').includes('EVIL'));
    return planted.length === 0 ? undefined : `it wrote ${planted.join(', ')}`;
  },
};

interface Led {
  readonly does: string;
  readonly fs: (directory: string) => { readonly read?: readonly string[]; readonly write?: readonly string[] };
  readonly path: string;
  readonly link: string;
}

/** Links that change the meaning of a grant. */
const led: readonly Led[] = [
  {
    does: 'a relative grant and a link in its own folder',
    fs: () => ({ read: ['./data'] }),
    path: 'plugins/x/data/secret.txt',
    link: 'plugins/x/data',
  },
  {
    does: 'a relative grant below a link in its own folder',
    fs: () => ({ read: ['data/deep'] }),
    path: 'plugins/x/data/deep/secret.txt',
    link: 'plugins/x/data',
  },
  {
    does: 'a link that it made in the folder that it may write, for another grant',
    fs: (directory) => ({ write: [join(directory, 'out')], read: [join(directory, 'out/docs')] }),
    path: 'out/docs/secret.txt',
    link: 'out/docs',
  },
];

const byLink = led.map(({ does, fs, path, link }): Attack => ({
  name: `A plugin reads the folder of another by ${does}`,
  needs: ['jail'],
  async run(ground) {
    lay(ground, {
      'far/secret.txt': 'SECRET',
      'far/deep/secret.txt': 'SECRET',
      'out/a.txt': '',
      'plugins/x/index.mjs': acting(`return attempt(() => fs.readFileSync(args.path, 'utf8'));`, before),
    });
    symlinkSync(join(ground.directory, 'far'), join(ground.directory, link));
    const plugins = await loadFolder(ground, { jail: 'required', grants: { x: { fs: fs(ground.directory) } } });
    const said = await plugins.text({ path: join(ground.directory, path) });
    return said.includes('SECRET') ? 'it read the secret' : undefined;
  },
}));

/** Attempts of a jailed plugin to see more through the programs that it may start. */
const around: Readonly<Record<string, string>> = {
  'the environment of the host': `tr '\\0' '\\n' < /proc/1/environ; env; cat /proc/*/environ`,
  'another root': `cat /proc/1/root$FAR /proc/self/root$FAR /proc/*/cwd/../far/secret.txt`,
  'inherited descriptors': `for fd in /proc/self/fd/*; do case $(readlink $fd) in (socket:*|pipe:*|/dev/null|/proc/*|'') ;; (*) echo "SECRET $(readlink $fd)";; esac; done`,
  'processes of the host': `ls -d /proc/[0-9]* | wc -l | awk '$1 > 12 { print "SECRET" }'`,
  'devices and mounts': `mount -o remount,rw / && echo SECRET; mknod /tmp/a b 8 0 && echo SECRET; unshare -Ur true && echo SECRET`,
  'a hard link to a setting': `ln "$ROOT/.npmrc" "$ROOT/free" && echo EVIL >> "$ROOT/free"; grep -q EVIL "$ROOT/.npmrc" && echo SECRET`,
  'a hard link to a secret': `ln "$ROOT/.env" "$ROOT/open.txt"; cat "$ROOT/open.txt"`,
  'a rename over a setting': `echo EVIL > "$ROOT/new"; mv -f "$ROOT/new" "$ROOT/.npmrc"; rm -f "$ROOT/.npmrc"; [ "$(cat "$ROOT/.npmrc")" = '' ] || echo SECRET; [ -e "$ROOT/.npmrc" ] || echo SECRET`,
  'signals to the host': `kill -0 $PPID 2>/dev/null; kill -0 $HOST 2>/dev/null && grep -qa attack /proc/$HOST/cmdline && echo SECRET`,
};

const bySurroundings: Attack = {
  name: `A jailed plugin that may start programs reads what belongs to others (${Object.keys(around).length} ways)`,
  needs: ['jail', 'bash'],
  timeoutMs: 60_000,
  async run(ground) {
    const root = join(ground.directory, 'project');
    lay(ground, {
      'far/secret.txt': 'SECRET',
      'project/.npmrc': '',
      'project/.env': 'SECRET',
      'project/a.txt': 'open',
    });
    lay(ground, {
      'plugins/x.mjs': acting(
        `const { spawnSync } = await import('node:child_process');
        return ['ran', ...args.lines.map((line) => spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8', timeout: 5_000, env: args.env }).stdout)].join('\\u0001');`,
      ),
    });
    process.env['ATTACKED_HOST'] = 'SECRET';
    ground.onEnd(() => void delete process.env['ATTACKED_HOST']);
    const grants = { x: { exec: true, fs: { write: [root] } } };
    const plugins = await loadFolder(ground, { jail: 'required', grants });
    const env = {
      PATH: '/usr/bin:/bin',
      ROOT: root,
      FAR: join(ground.directory, 'far/secret.txt'),
      HOST: `${process.pid}`,
    };
    const [ran, ...said] = (await plugins.text({ lines: Object.values(around), env })).split('\u0001');
    if (ran !== 'ran' || said.length !== Object.keys(around).length) throw new Error(`the lines did not run: ${ran}`);
    const found = Object.keys(around).filter((_, index) => said[index]?.includes('SECRET'));
    return found.length === 0 ? undefined : `it found ${found.join(', ')}: ${said.join(' ').slice(0, 400)}`;
  },
};

export const grants: readonly Attack[] = [byReading, ...byName, byWriting, ...byLink, bySurroundings];
