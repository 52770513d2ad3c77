import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync } from 'node:fs';
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
  name: 'A plugin with a folder to read reads the secrets in it',
  needs: ['jail'],
  async run(ground) {
    lay(ground, {
      ...Object.fromEntries(secrets.map((path) => [`project/${path}`, 'SECRET'])),
      'project/a.txt': 'open',
    });
    // Another name of the first one.
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
  name: 'A plugin with a folder to write plants what runs outside',
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

export const grants: readonly Attack[] = [byReading, ...byName, byWriting];
