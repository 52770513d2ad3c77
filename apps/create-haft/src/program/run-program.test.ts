import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { templates } from '../project/templates.ts';
import { runCreate } from '../testing/run-create.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

/** A folder with a replacement for npm that records its arguments and exits with the given code. */
function fakeNpm(code: number, error = ''): string {
  const folder = createTemporaryFolder(onTestFinished);
  const print = error === '' ? '' : `echo "${error}" >&2\n`;
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho "npm $*" > installed\n${print}exit ${code}\n`, { mode: 0o755 });
  return folder;
}

describe('create-haft without a terminal', () => {
  it.each(templates)('creates the template $name', async ({ name, firstScript }) => {
    const cwd = createTemporaryFolder(onTestFinished);
    const { code, stdout, stderr } = await runCreate(['apps/my-shop', '--template', name, '--no-install'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Created my-shop in apps/my-shop from the template');
    expect(stdout).toMatch(new RegExp(`cd apps/my-shop\n  npm install\n  npm (?:run )?${firstScript}\n  npm test\n`));
    const manifest = readFileSync(join(cwd, 'apps/my-shop/package.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({ name: 'my-shop' });
    expect(existsSync(join(cwd, 'apps/my-shop/.gitignore'))).toBe(true);
  });

  it('uses the defaults: the template agent, and the package manager that runs it', async () => {
    const cwd = createTemporaryFolder(onTestFinished);
    const env = { npm_config_user_agent: 'pnpm/12.21.0 npm/? node/v24.21.0 linux x64' };
    const { code, stdout } = await runCreate(['my-shop', '--no-install'], { cwd, env });
    expect(code).toBe(0);
    expect(stdout).toContain('from the template agent');
    expect(stdout).toContain('pnpm install\n  pnpm start\n');
  });

  it('creates the project in the current folder', async () => {
    const parent = createTemporaryFolder(onTestFinished);
    const cwd = join(parent, 'my-shop');
    mkdirSync(cwd);
    const { code, stdout } = await runCreate(['.', '--template', 'plugin', '--no-install'], { cwd });
    expect([code, stdout.includes('cd ')]).toEqual([0, false]);
    expect(readdirSync(cwd)).toContain('package.json');
  });

  it.runIf(process.platform !== 'win32')('installs the dependencies in the new folder', async () => {
    const cwd = createTemporaryFolder(onTestFinished);
    const env = { PATH: `${fakeNpm(0)}:/usr/bin:/bin` };
    const { code, stdout } = await runCreate(['my-shop', '--template', 'plugin'], { cwd, env });
    expect([code, readFileSync(join(cwd, 'my-shop/installed'), 'utf8')]).toEqual([0, 'npm install\n']);
    expect(stdout).not.toContain('npm install');
  });

  it.runIf(process.platform !== 'win32')(
    'keeps the complete project when the installation fails, and says how to install',
    async () => {
      const cwd = createTemporaryFolder(onTestFinished);
      const env = { PATH: `${fakeNpm(7)}:/usr/bin:/bin` };
      const { code, stderr } = await runCreate(['my-shop', '--template', 'plugin'], { cwd, env });
      expect([code, stderr]).toEqual([
        1,
        'create-haft: npm install ended with exit code 7. The files of the project are complete: run "npm install" in my-shop.\n',
      ]);
      expect(existsSync(join(cwd, 'my-shop/AGENTS.md'))).toBe(true);
      const missing = await runCreate(['other', '-p', 'bun'], { cwd, env: { PATH: '/nowhere' } });
      expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('bun is not installed.')]);
    },
  );

  it.runIf(process.platform !== 'win32').each([
    ["npm error 404  '@haft/core@^0.1.0' is not in this registry.", 'pack them in a clone of '],
    ["npm error 404  'left-padding@^1.0.0' is not in this registry.", 'run "npm install" in '],
  ])('says what to do after npm printed %s', async (error, remedy) => {
    const cwd = createTemporaryFolder(onTestFinished);
    const env = { PATH: `${fakeNpm(1, error)}:/usr/bin:/bin` };
    const { code, stderr } = await runCreate(['my-shop', '--template', 'plugin'], { cwd, env });
    const [shown, advice] = stderr.split('\n');
    expect([code, shown, advice]).toEqual([1, error, expect.stringContaining(remedy)]);
    expect(advice?.includes('not published on npm yet')).toBe(remedy.startsWith('pack'));
  });

  it.each([
    [[], 'FOLDER is missing (expected a name, such as: npm create haft my-project -- --template agent)'],
    [
      ['My Shop'],
      '"My Shop": a project can\'t have this name, because it contains capitals (expected a name such as "my-shop")',
    ],
    [['shop', '--template', 'angular'], '--template: unknown template'],
    [['shop', '--force'], '--force: unknown option'],
    [['full'], 'full: the folder is not empty (it contains a.txt)'],
    [['full', '--merge', '--template', 'plugin', 'x'], '"x": only one folder'],
    [['file'], 'file: it exists and is not a folder'],
    [['file/shop'], "file/shop: it can't be written (ENOTDIR), so nothing was created"],
  ])('refuses %j with one line, exit code 2 and no change', async (args, message) => {
    const cwd = createTemporaryFolder(onTestFinished, { 'full/a.txt': 'mine', file: '' });
    const { code, stdout, stderr } = await runCreate([...args, '--no-install'], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`create-haft: ${message}`);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(readdirSync(cwd, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
      'file',
      'full',
      join('full', 'a.txt'),
    ]);
  });

  it('adds the project to a folder with other files only with --merge, and never overwrites one', async () => {
    const cwd = createTemporaryFolder(onTestFinished, { 'shop/a.txt': 'mine', 'taken/README.md': 'mine' });
    const merged = await runCreate(['shop', '--merge', '--no-install'], { cwd });
    expect([merged.code, existsSync(join(cwd, 'shop/package.json'))]).toEqual([0, true]);
    const refused = await runCreate(['taken', '--merge', '--no-install'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('README.md would be overwritten')]);
    expect(readdirSync(join(cwd, 'taken'))).toEqual(['README.md']);
  });

  it('prints its version and its help', async () => {
    const cwd = createTemporaryFolder(onTestFinished);
    expect((await runCreate(['--version'], { cwd })).stdout).toMatch(/^create-haft \d+\.\d+\.\d+\n$/);
    const { stdout } = await runCreate(['--help'], { cwd });
    for (const { name } of templates) expect(stdout).toContain(`  ${name}`);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(125);
  });
});
