import { symlinkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Attack } from '../../attack.ts';
import { acting, lay, loadFolder } from './load-folder.ts';

const marked = (name: string): string => acting(`return 'x';`, `globalThis.${name} = true;`);
const hasRun = (name: string): boolean => name in globalThis;

interface Twin {
  readonly does: string;
  readonly trusted: string;
  readonly other: string;
}

const twins: readonly Twin[] = [
  { does: 'a file beside a trusted folder', trusted: 'mine/index.mjs', other: 'mine.mjs' },
  { does: 'a TypeScript file beside a trusted folder', trusted: 'mine/index.mjs', other: 'mine.ts' },
  { does: 'a folder beside a trusted file', trusted: 'mine.mjs', other: 'mine/index.mjs' },
  { does: 'a folder with a manifest beside a trusted file', trusted: 'mine.ts', other: 'mine/plugin.mjs' },
  { does: 'another kind of file beside a trusted one', trusted: 'mine.mjs', other: 'mine.js' },
];

const byTwin = twins.map(({ does, trusted, other }, index): Attack => ({
  name: `Code in ${does} runs as trusted`,
  async run(ground) {
    const mark = `stranger${index}`;
    lay(ground, { [`plugins/${trusted}`]: acting(`return 'own';`), [`plugins/${other}`]: marked(mark) });
    await loadFolder(ground, { trusted: ['mine'], jail: 'preferred' });
    return hasRun(mark) ? 'it ran in the program' : undefined;
  },
  async control(ground) {
    const mark = `control${index}`;
    lay(ground, { [`plugins/${other}`]: marked(mark) });
    await loadFolder(ground, { trusted: ['mine'] });
    return hasRun(mark);
  },
}));

const links: readonly { readonly does: string; readonly make: (directory: string) => void }[] = [
  {
    does: 'a link with the name of a trusted folder',
    make: (directory) => symlinkSync(join(directory, 'far'), join(directory, 'plugins/mine')),
  },
  {
    does: 'a link with the name of a trusted file',
    make: (directory) => symlinkSync(join(directory, 'far/index.mjs'), join(directory, 'plugins/mine.mjs')),
  },
  {
    does: 'a link with a trusted name to another plugin',
    make: (directory) => symlinkSync('other', join(directory, 'plugins/mine')),
  },
  {
    does: 'a link for the entry of a trusted folder',
    make(directory) {
      mkdirSync(join(directory, 'plugins/mine'));
      symlinkSync(join(directory, 'far/index.mjs'), join(directory, 'plugins/mine/index.mjs'));
    },
  },
];

const byLink = links.map(({ does, make }, index): Attack => ({
  name: `Code behind ${does} runs as trusted`,
  async run(ground) {
    const mark = `linked${index}`;
    const code = `if (!import.meta.url.includes('/proc/')) globalThis.${mark} = true;`;
    lay(ground, { 'far/index.mjs': acting('', code), 'plugins/other/index.mjs': acting('', code) });
    make(ground.directory);
    await loadFolder(ground, { trusted: ['mine'], jail: 'preferred' });
    return hasRun(mark) ? 'it ran in the program' : undefined;
  },
}));

const reading = acting(
  `return args.paths.map((path) => { try { return fs.readFileSync(path, 'utf8'); } catch { return ''; } }).join('');`,
  `const fs = await import('node:fs');`,
);

const ways: readonly {
  readonly does: string;
  readonly entry: string;
  readonly make: (plugins: string, far: string) => void;
  readonly path: string;
}[] = [
  {
    does: 'a shared link to a folder',
    entry: 'x.mjs',
    make: (plugins, far) => symlinkSync(far, join(plugins, '_ssh')),
    path: '_ssh/secret.txt',
  },
  {
    does: 'a shared link to a file',
    entry: 'x.mjs',
    make: (plugins, far) => symlinkSync(join(far, 'secret.txt'), join(plugins, '_key')),
    path: '_key',
  },
  {
    does: 'a shared link to a sibling',
    entry: 'x/index.mjs',
    make: (plugins) => symlinkSync('sibling', join(plugins, '_sibling')),
    path: '_sibling/secret.txt',
  },
  {
    does: 'a link inside of a shared folder',
    entry: 'x.mjs',
    make(plugins, far) {
      mkdirSync(join(plugins, '_lib'));
      symlinkSync(far, join(plugins, '_lib/out'));
    },
    path: '_lib/out/secret.txt',
  },
  {
    does: 'a link inside of its own folder',
    entry: 'x/index.mjs',
    make: (plugins, far) => symlinkSync(far, join(plugins, 'x/out')),
    path: 'x/out/secret.txt',
  },
  { does: 'the folder of a sibling', entry: 'x.mjs', make: () => undefined, path: 'sibling/secret.txt' },
  {
    does: 'a link to a folder that holds its code',
    entry: 'unused/readme.txt',
    make: (plugins, far) => symlinkSync(far, join(plugins, 'x')),
    path: 'x/secret.txt',
  },
];

const byReading = ways.map(({ does, entry, make, path }): Attack => ({
  name: `A jailed plugin reads a secret by ${does}`,
  needs: ['jail'],
  async run(ground) {
    lay(ground, {
      [`plugins/${entry}`]: reading,
      'plugins/sibling/index.mjs': acting(`return '';`).replace(`name: 'act'`, `name: 'sibling'`),
      'plugins/sibling/secret.txt': 'SECRET',
      'far/index.mjs': reading,
      'far/secret.txt': 'SECRET',
    });
    make(join(ground.directory, 'plugins'), join(ground.directory, 'far'));
    const plugins = await loadFolder(ground, { jail: 'required' });
    const paths = [join(ground.directory, 'plugins', path), join(ground.directory, 'far/secret.txt')];
    const said = await plugins.text({ paths });
    return said.includes('SECRET') ? 'it read the secret' : undefined;
  },
}));

export const places: readonly Attack[] = [...byTwin, ...byLink, ...byReading];
