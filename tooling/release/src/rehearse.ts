/**
 * Rehearses a release: publishes all packages to a registry on this machine, installs them from there into empty projects
 * with npm, pnpm, yarn and bun, runs the programs of a new user, and creates, installs, checks and runs every template
 * of create-haft.
 *
 * usage: npm run release:rehearse [-- --short] [--templates]
 *
 * `--short` installs with npm alone; `--templates` tries the templates alone, with npm and with pnpm.
 * With exit code 1, prints the step that failed and its output.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { listCodeBlocks } from '@haft-tooling/checks/code-blocks';
import type { CodeBlock } from '@haft-tooling/checks/code-blocks';
import { consumerProgram } from '@haft-tooling/checks/consumer-program';
import { packPackages } from '@haft-tooling/checks/packed';
import type { PackedPackage } from '@haft-tooling/checks/packed';
import { runCommand } from '@haft-tooling/checks/run-command';

import { installers } from './installers.ts';
import type { Installer } from './installers.ts';
import { openLocalRegistry } from './local-registry.ts';
import type { LocalRegistry } from './local-registry.ts';
import { publishTarballs } from './publish-tarballs.ts';
import { templateTrials, tryTemplate } from './try-template.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'haft-rehearsal-'));

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { short: { type: 'boolean', default: false }, templates: { type: 'boolean', default: false } },
  });
  const tried = values.short ? installers.slice(0, 1) : installers;
  const packed = await step('build and pack', () => packPackages(folder('tarballs')));
  const registry = await step('start a registry', () => openLocalRegistry(folder('registry')));
  try {
    const publisher = folder('publisher');
    writeFileSync(join(publisher, '.npmrc'), registry.settings);
    const options = { registry: registry.url, provenance: false, cwd: publisher };
    await step(`publish ${packed.length} packages`, () => publishTarballs(packed, options));
    if (!values.templates) {
      const again = await step('publish again, which changes nothing', () => publishTarballs(packed, options));
      const repeated = again.filter(({ outcome }) => outcome === 'published');
      if (repeated.length > 0) throw new Error(`published twice: ${repeated.map(({ name }) => name).join(', ')}`);
      await tryPackages(tried, registry, packed);
    }
    for (const installer of tried.slice(0, 2)) {
      for (const trial of templateTrials) {
        const directory = join(scratch, 'templates', installer.name);
        await step(`create ${trial.template} with ${installer.name}, and run it`, () =>
          tryTemplate(trial, installer, registry, directory),
        );
      }
    }
  } finally {
    await registry.close();
  }
}

/** Installs all packages with each package manager, and runs the programs of a new user. */
async function tryPackages(
  tried: readonly Installer[],
  registry: LocalRegistry,
  packed: readonly PackedPackage[],
): Promise<void> {
  for (const installer of tried) {
    await step(`install and run with ${installer.name}`, () => tryInstaller(installer, registry, packed));
  }
  await step('run the examples of the READMEs', () => runExamples(packed));
  for (const { name, run } of runtimes) await step(`run repair, schema and core on ${name}`, () => tryRuntime(run));
  await step('run haft, and connect to haft serve', tryCommand);
}

/** The project that npm installed, in which the examples run later. */
const firstProject = join(scratch, 'with-npm');

async function tryInstaller(
  installer: Installer,
  registry: LocalRegistry,
  packed: readonly PackedPackage[],
): Promise<void> {
  const cwd = folder(`with-${installer.name}`);
  const ours = Object.fromEntries(packed.map(({ name, version }) => [name, version]));
  const dependencies = { ...companions(packed), ...ours };
  const manifest = { name: 'stranger', private: true, type: 'module', dependencies };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest, undefined, 2));
  writeFileSync(join(cwd, '.npmrc'), registry.settings);
  for (const [name, text] of Object.entries(installer.settings?.(registry.url) ?? {}))
    writeFileSync(join(cwd, name), text);
  const [program, ...args] = installer.install;
  await runCommand(program, args, {
    cwd,
    environment: { npm_config_user_agent: '', npm_config_registry: registry.url },
  });
  writeFileSync(join(cwd, 'program.ts'), consumerProgram);
  await runCommand(process.execPath, ['program.ts'], { cwd });
}

/** Optional peers of `@haft/jobs`, which its example loads by a URL. */
const loadedByName = { 'pg-boss': '^12.38.0', '@electric-sql/pglite': '^0.5.16' };

/** Further packages that the examples import, in the versions with which our packages are tested. */
function companions(packed: readonly PackedPackage[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = { zod: '^4.6.7', 'better-sqlite3': '^13.2.0', ...loadedByName };
  for (const { name } of packed) {
    const folderOfPackage = join(root, folderOf(name));
    const manifest = JSON.parse(readFileSync(join(folderOfPackage, 'package.json'), 'utf8')) as Manifest;
    const known = { ...manifest.devDependencies, ...manifest.dependencies };
    for (const { code } of examplesIn(readFileSync(join(folderOfPackage, 'README.md'), 'utf8'))) {
      for (const [, specifier = ''] of code.matchAll(/from '((?:@[\w.-]+\/)?[\w.-]+)/g)) {
        const version = known[specifier];
        if (version !== undefined && !specifier.startsWith('@haft/')) found[specifier] = version;
      }
    }
  }
  return found;
}

function folderOf(name: string): string {
  if (name === 'haft') return 'apps/demo';
  return name === 'create-haft' ? 'apps/create-haft' : name.replace('@haft/', 'packages/');
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Returns the blocks of a README that run. */
function examplesIn(readme: string): readonly CodeBlock[] {
  return listCodeBlocks(readme).filter(({ language, note }) => language === 'ts' && note === '');
}

async function runExamples(packed: readonly PackedPackage[]): Promise<void> {
  const failures: string[] = [];
  for (const { name } of packed) {
    const readme = readFileSync(join(firstProject, 'node_modules', name, 'README.md'), 'utf8');
    for (const [index, block] of examplesIn(readme).entries()) {
      const file = `${name.replace('@haft/', '')}-${index}.ts`;
      writeFileSync(join(firstProject, file), block.code);
      await runCommand(process.execPath, [file], { cwd: firstProject, timeoutMs: 60_000 }).catch((error: Error) => {
        failures.push(`${name}, line ${block.line} of its README: ${error.message}`);
      });
    }
  }
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}

/** Runtimes besides the Node that runs this, as npm brings them. */
const runtimes: readonly { readonly name: string; readonly run: readonly string[] }[] = [
  { name: 'Node 20', run: ['--package', 'node@20', '--', 'node'] },
  { name: 'Deno', run: ['deno@2', 'run', '--allow-read', '--allow-env'] },
  { name: 'Bun', run: ['bun@1.4.5', 'run'] },
];

/** Reads a call in a text, repairs its arguments, validates and runs it. */
const everywhere = `
import { createDispatcher, defineTool, renderForModel } from '@haft/core';
import { extractToolCalls, repairJson } from '@haft/repair';
import { compileSchema } from '@haft/schema';
const input = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
const add = defineTool({ name: 'add', description: 'Adds.', kind: 'read', input, execute: ({ a }) => String(a + 1) });
const { dispatch } = createDispatcher({ registry: [add] });
const { calls } = extractToolCalls('<tool_call>{name: "add", arguments: {a: 5}}</tool_call>', { tools: [add] });
const result = await dispatch({ id: 'call_1', name: 'add', arguments: "{a: '2',}" });
console.log([calls.length, repairJson('{b: 1,}').ok, compileSchema(input).validate({ a: 'x' }).ok, renderForModel(result)].join());
`;

async function tryRuntime(run: readonly string[]): Promise<void> {
  writeFileSync(join(firstProject, 'everywhere.mjs'), everywhere);
  const { stdout } = await runCommand('npx', ['--yes', ...run, 'everywhere.mjs'], {
    cwd: firstProject,
    timeoutMs: 180_000,
  });
  if (!stdout.includes('1,true,false,3')) throw new Error(`it printed ${stdout}`);
}

/** An MCP client that starts `haft serve` as clients do, and calls a tool. */
const client = `
import { createConnection } from '@haft/mcp';
const server = { name: 'haft', command: 'npx', args: ['--no', '--', 'haft', 'serve'] };
const connection = await createConnection({ ...server, cwd: process.cwd() });
const names = connection.tools.map(({ name }) => name);
await connection.close();
if (!names.some((name) => name.endsWith('read'))) throw new Error('no tool to read files: ' + names.join(', '));
`;

const ownNode = { PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter) };

/** Uses the command as a new user would, in the project that npm installed. */
async function tryCommand(): Promise<void> {
  const cwd = firstProject;
  const haft = (...args: readonly string[]): Promise<{ readonly stdout: string }> =>
    // The first line of the program asks for the Node of the search path.
    runCommand('npx', ['--no', '--', 'haft', ...args], { cwd, timeoutMs: 120_000, environment: ownNode });
  const { stdout: version } = await haft('--version');
  if (!/^haft \d+\.\d+\.\d+/.test(version)) throw new Error(`haft --version printed ${version}`);
  const { stdout: tour } = await haft('tour', '--fast');
  if (!tour.includes('npx haft tools'))
    throw new Error(`the tour does not end with commands to try:\n${tour.slice(-500)}`);
  writeFileSync(join(cwd, 'client.ts'), client);
  await runCommand(process.execPath, ['client.ts'], { cwd, timeoutMs: 60_000, environment: ownNode });
}

function folder(name: string): string {
  const path = join(scratch, name);
  mkdirSync(path, { recursive: true });
  return path;
}

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  process.stderr.write(`${title} … `);
  const start = performance.now();
  try {
    const outcome = await work();
    process.stderr.write(`${((performance.now() - start) / 1000).toFixed(1)} s\n`);
    return outcome;
  } catch (error) {
    process.stderr.write('failed\n');
    throw error;
  }
}

try {
  await main();
  process.stderr.write('The rehearsal passed.\n');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
