import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import type { PackageManager } from './package-manager.ts';
import { placeholderName, projectFiles } from './template-files.ts';
import { templates } from './templates.ts';

const packageFolder = fileURLToPath(new URL('../../', import.meta.url));
const repository = join(packageFolder, '..', '..');
const folderOf = (name: string): string => join(packageFolder, 'templates', name);

// If `HAFT_BUILT` is set, the built packages are used, which start faster than their sources.
const isBuilt = process.env['HAFT_BUILT'] !== undefined;

interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const read = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8')) as Manifest;
const create = (name: string, packageManager: PackageManager = 'npm'): ReadonlyMap<string, string> => {
  const template = templates.find((each) => each.name === name) ?? expect.fail(`${name} is missing`);
  return projectFiles({ name: 'my-shop', template, packageManager, version: '1.2.3' });
};

/** Runs a program in a folder and resolves to its exit code and output. */
async function run(
  cwd: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<readonly [code: number, output: string]> {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd, env: { ...env, NODE_TEST_CONTEXT: undefined, ...variables } });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number];
  return [code, output];
}

describe('the templates', () => {
  it('are the folders of the package', () => {
    expect(readdirSync(join(packageFolder, 'templates')).toSorted()).toEqual(
      templates.map(({ name }) => name).toSorted(),
    );
  });

  it.each(templates)(
    '$name has a README, an AGENTS.md, a .gitignore, a test, skills and its first script',
    (template) => {
      const files = create(template.name);
      for (const path of ['README.md', 'AGENTS.md', '.gitignore', 'tsconfig.json'])
        expect([...files.keys()]).toContain(path);
      expect([...files.keys()].some((path) => path.endsWith('.test.ts'))).toBe(true);
      for (const skill of template.skills) expect([...files.keys()]).toContain(`.agents/skills/${skill}/SKILL.md`);
      const { scripts } = JSON.parse(files.get('package.json') ?? '') as Manifest;
      expect(Object.keys(scripts)).toEqual(expect.arrayContaining([template.firstScript, 'test', 'check']));
      // npm leaves these names out of a package.
      expect([...files.keys()].filter((path) => /(?:^|\/)(?:_|\.npmrc$|node_modules\/|dist\/)/.test(path))).toEqual([]);
      expect(existsSync(join(folderOf(template.name), '.gitignore'))).toBe(false);
    },
  );

  it.each(templates)('$name gets the name of the project and the version of the packages', ({ name }) => {
    const files = create(name);
    for (const [path, text] of files) expect(text.includes(placeholderName), path).toBe(false);
    const { name: packageName, dependencies } = JSON.parse(files.get('package.json') ?? '') as Manifest;
    expect(packageName).toBe('my-shop');
    for (const [dependency, range] of Object.entries(dependencies)) {
      if (dependency.startsWith('@haft/')) expect(range, dependency).toBe('^1.2.3');
      else expect(range, dependency).toMatch(/^\^\d+\.\d+\.\d+$/);
    }
  });

  it.each(templates)('$name depends on the versions that this repository tests', ({ name }) => {
    const { dependencies, devDependencies } = read(join(folderOf(name), 'package.json'));
    const own = read(join(packageFolder, 'package.json')).devDependencies;
    const known: Readonly<Record<string, string>> = {
      ...read(join(repository, 'package.json')).devDependencies,
      ...own,
    };
    for (const [dependency, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      const tested = known[dependency];
      if (dependency.startsWith('@haft/')) expect(tested, dependency).toBe('workspace:^');
      else if (tested !== undefined) expect(range, dependency).toBe(`^${tested}`);
    }
  });

  it('show commands of the chosen package manager', () => {
    expect(create('mcp-server').get('README.md')).toContain('npm run try ');
    const readme = create('mcp-server', 'pnpm').get('README.md');
    expect(readme).toContain('pnpm install');
    expect(readme).toContain('pnpm run try ');
    expect(readme).not.toMatch(/\bnpm (?:install|test|run try)/);
    expect(create('agent', 'bun').get('AGENTS.md')).toContain('`bun run test`');
    expect(create('agent', 'yarn').get('.yarnrc.yml')).toBe('nodeLinker: node-modules\n');
  });

  it('next-chat has the tools and the model of ai-sdk', () => {
    for (const path of [
      'choose-model.ts',
      'scripted-model.ts',
      'create-tools.ts',
      'tools.test.ts',
      'tools/get-temperature.ts',
    ]) {
      const ours = readFileSync(join(folderOf('next-chat'), 'lib', path), 'utf8');
      expect(ours, path).toBe(readFileSync(join(folderOf('ai-sdk'), 'src', path), 'utf8'));
    }
  });

  it.each(['agent', 'ai-sdk'])('%s says in one line which variable is missing', async (name) => {
    const args = [...(isBuilt ? [] : ['--conditions=@haft/source']), 'src/main.ts'];
    expect(await run(folderOf(name), args, { MODEL_URL: 'http://127.0.0.1:1/v1' })).toEqual([
      1,
      'MODEL_NAME is missing: set it to a model of MODEL_URL, such as qwen3\n',
    ]);
  });

  // The rehearsal of a release installs, checks and runs the others.
  it.each(['agent', 'mcp-server'])('%s compiles with strict options, and its tests pass', async (name) => {
    const folder = folderOf(name);
    const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(
      await run(folder, [compiler, '--pretty', 'false', ...(isBuilt ? [] : ['--customConditions', '@haft/source'])]),
    ).toEqual([0, '']);
    const [code, output] = await run(folder, [
      ...(isBuilt ? [] : ['--conditions=@haft/source']),
      '--test',
      'src/**/*.test.ts',
    ]);
    expect([code, output]).toEqual([0, expect.stringMatching(/^. fail 0$/m)]);
  });
});
