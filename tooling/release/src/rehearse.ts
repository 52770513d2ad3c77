/**
 * Rehearses a release: publishes all packages to a registry on this machine, installs them from there into empty projects
 * with npm, pnpm, yarn and bun, and runs what a stranger would run.
 *
 * usage: npm run release:rehearse [-- --short]
 *
 * `--short` installs with npm alone. Exit code 1 names the step that failed and what it wrote.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const root = fileURLToPath(new URL('../../../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'haft-rehearsal-'));

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
  const packed = await step('build and pack', () => packPackages(folder('tarballs')));
  const registry = await step('start a registry', () => openLocalRegistry(folder('registry')));
  try {
    const publisher = folder('publisher');
    writeFileSync(join(publisher, '.npmrc'), registry.settings);
    const options = { registry: registry.url, provenance: false, cwd: publisher };
    await step(`publish ${packed.length} packages`, () => publishTarballs(packed, options));
    const again = await step('publish again, which changes nothing', () => publishTarballs(packed, options));
    const repeated = again.filter(({ outcome }) => outcome === 'published');
    if (repeated.length > 0) throw new Error(`published twice: ${repeated.map(({ name }) => name).join(', ')}`);
    for (const installer of values.short ? installers.slice(0, 1) : installers) {
      await step(`install and run with ${installer.name}`, () => tryInstaller(installer, registry, packed));
    }
    await step('run the examples of the READMEs', () => runExamples(packed));
  } finally {
    await registry.close();
  }
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

/** What the examples import besides our packages, at the versions that the packages are tested with. */
function companions(packed: readonly PackedPackage[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = { zod: '^4.6.7' };
  for (const { name } of packed) {
    const folderOfPackage = join(root, 'packages', name.replace('@haft/', ''));
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

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The blocks of a README that run. */
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
