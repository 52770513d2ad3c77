import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { listCodeBlocks } from '../code-blocks.ts';
import { listExportsOfPackage } from '../exported-names.ts';
import { assertNoProblems } from '../problem.ts';
import { readPublishedPackages, readRepositoryFile, repositoryRoot } from '../workspace.ts';
import { createConsumerProject } from './consumer-project.ts';
import type { ConsumerProject } from './consumer-project.ts';
import { packPackages } from './pack-packages.ts';
import type { PackedPackage } from './pack-packages.ts';
import { consumerProgram } from './consumer-program.ts';
import { measureInstallation } from './install-size.ts';
import { runCommand } from './run-command.ts';
import { findTarballProblems, readTarball } from './tarball-contents.ts';

/** `current`, or major versions that npm can install: `HAFT_PACKED_NODES=22,24,26`. */
const nodes = (process.env['HAFT_PACKED_NODES'] ?? 'current').split(',').map((node) => node.trim());

describe('the packed packages', { timeout: 300_000 }, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'haft-packed-'));
  let packed: readonly PackedPackage[];
  let project: ConsumerProject;

  beforeAll(async () => {
    packed = await packPackages(scratch, readPublishedPackages(), process.env['HAFT_BUILT'] !== undefined);
    // `@haft/mcp/sdk` requires that SDK; the other optional peers are loaded on demand.
    const versions = {
      zod: '4.6.7',
      'better-sqlite3': '13.2.0',
      '@types/node': '24.19.2',
      '@modelcontextprotocol/sdk': '^1.25.0',
    };
    project = await createConsumerProject(join(scratch, 'consumer'), packed, versions);
    writeFileSync(join(project.directory, 'everything.ts'), importEverything());
    writeFileSync(join(project.directory, 'program.ts'), consumerProgram);
  }, 300_000);
  afterAll(() => rmSync(scratch, { recursive: true, force: true }), 120_000);

  it('contain every promised file and no other', () => {
    assertNoProblems(packed.flatMap(({ name, tarball }) => findTarballProblems(name, readTarball(tarball))));
  });

  it('are small: at most 3 MB in all', () => {
    const bytes = packed.reduce((sum, { tarball }) => sum + statSync(tarball).size, 0);
    expect(bytes).toBeLessThanOrEqual(3_000_000);
  });

  it.each([
    ['@haft/mcp', 6],
    ['@haft/toolkit', 10],
  ])('install few files: %s at most %d MB', (name, megabytes) => {
    const bytes = measureInstallation(join(project.directory, 'node_modules'), name);
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes / 1_000_000).toBeLessThanOrEqual(megabytes);
  });

  it('type-check with strict and nodenext, including their declarations', async () => {
    expect(errorsOfOurs(await project.compile(['everything', 'program']))).toBe('');
  });

  it('fail to compile with a type error, which proves that the check works', async () => {
    writeFileSync(join(project.directory, 'wrong.ts'), `import { noSuchName } from '@haft/core';\nnoSuchName();\n`);
    expect(await project.compile(['wrong'], { noEmit: true, skipLibCheck: true })).toContain('noSuchName');
  });

  it.each(nodes)('run on Node %s', async (node) => {
    const version = await project.run('everything', node);
    if (node !== 'current') expect(version, 'the version of the Node that ran it').toMatch(new RegExp(`^${node}\\.`));
    await project.run('program', node);
  });

  it('name the package to install if an optional one is missing', async () => {
    const program = `
import { createStore } from '@haft/store';
import { openJobs } from '@haft/jobs';
const messageOf = (work) => work.then(() => 'nothing is missing', ({ code, message }) => code + ': ' + message);
console.log(await messageOf(createStore({ url: 'postgres://127.0.0.1:9/none' })));
console.log(await messageOf(openJobs({ url: 'memory:' })));
`;
    writeFileSync(join(project.directory, 'missing.mjs'), program);
    const { stdout } = await runCommand(process.execPath, ['missing.mjs'], { cwd: project.directory });
    expect(stdout.trim().split('\n')).toEqual([
      'DRIVER_MISSING: the package pg is not installed; run npm install pg',
      'MISSING_PACKAGE: the package @electric-sql/pglite is missing (run npm install pg-boss@12.38.0 @electric-sql/pglite@0.5.16 better-sqlite3)',
    ]);
  });

  it('serve a plugin that follows the steps of the guide', async () => {
    const files = filesOfPage(readRepositoryFile('docs/adding/plugin.md'));
    expect([...files.keys()]).toEqual(['host.mjs', 'plugins/dice.mjs', 'plugins/shout.ts']);
    mkdirSync(join(project.directory, 'plugins'));
    for (const [path, text] of files) writeFileSync(join(project.directory, path), text);
    writeFileSync(join(project.directory, 'plugins', 'broken.mjs'), 'export default {\n  name: ,\n};\n');
    const { stdout } = await runCommand(process.execPath, ['host.mjs', 'shout', '{text: "hello"}'], {
      cwd: project.directory,
    });
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^broken failed \(import\) in broken\.mjs line 2: SyntaxError: Unexpected token/),
      'dice 1.0.0 live (tools: roll_dice)',
      'shout 1.0.0 live (tools: shout)',
      'HELLO',
    ]);
    const rolled = await runCommand(process.execPath, ['host.mjs', 'roll_dice', '{"sides": 20}'], {
      cwd: project.directory,
    });
    expect(rolled.stdout).toMatch(/^rolled \d+ of 20$/m);
  });

  it('pass publint and attw, which find an export without a file', async () => {
    const broken = join(scratch, 'broken');
    mkdirSync(broken);
    const exported = {
      '.': { types: './a.d.ts', default: './a.js' },
      './b': { types: './b.d.ts', default: './b.js' },
    };
    writeFileSync(
      join(broken, 'package.json'),
      JSON.stringify({ name: 'broken', version: '1.0.0', type: 'module', exports: exported }),
    );
    for (const name of ['a.js', 'b.js', 'b.d.ts']) writeFileSync(join(broken, name), 'export const a = 1;\n');
    await runCommand('npm', ['pack', '--ignore-scripts'], { cwd: broken });
    const tarballs = [...packed.map(({ tarball }) => tarball), join(broken, 'broken-1.0.0.tgz')];
    const linter = join(repositoryRoot, 'tooling', 'checks', 'src', 'packed', 'lint-tarballs.ts');
    const { stdout } = await runCommand(process.execPath, [linter, ...tarballs], { cwd: repositoryRoot });
    expect(JSON.parse(stdout)).toEqual({
      ...Object.fromEntries(packed.map(({ tarball }) => [basename(tarball), []])),
      'broken-1.0.0.tgz': [
        expect.stringMatching(/^publint: .*a\.d\.ts/),
        'attw: UntypedResolution at . (node16-esm)',
        'attw: UntypedResolution at . (bundler)',
      ],
    });
  });
});

/** Errors in our declarations and in the program. Errors in the declarations of other packages are ignored. */
function errorsOfOurs(output: string): string {
  const lines = output.split('\n').filter((line) => /error TS\d+/.test(line));
  if (output !== '' && lines.length === 0) return output;
  return lines.filter((line) => !/^node_modules[\\/](?!@haft[\\/])/.test(line)).join('\n');
}

/** Blocks whose note begins with the name of the file to save them as. */
function filesOfPage(markdown: string): ReadonlyMap<string, string> {
  const named = listCodeBlocks(markdown).map(
    ({ note, code }) => [/^no-run: (\S+\.m?[jt]s),/.exec(note)?.[1], code] as const,
  );
  return new Map(named.filter((pair): pair is readonly [string, string] => pair[0] !== undefined));
}

function importEverything(): string {
  const specifiers = readPublishedPackages().flatMap((each) => [...listExportsOfPackage(each).keys()]);
  const lines = specifiers.map((specifier, index) => `import * as entry${index} from '${specifier}';`);
  const entries = specifiers.map((specifier, index) => `  [${JSON.stringify(specifier)}, entry${index}],`);
  return [
    ...lines,
    'const entries: readonly (readonly [string, object])[] = [',
    ...entries,
    '];',
    'for (const [specifier, entry] of entries) {',
    '  if (Object.keys(entry).length === 0) throw new Error(`${specifier} exports nothing`);',
    '}',
    'console.log(process.versions.node);',
    '',
  ].join('\n');
}
