import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryRoot } from '../workspace.ts';
import type { PackedPackage } from './pack-packages.ts';
import { runCommand } from './run-command.ts';

/** An empty project with the packages installed as a user would install them. */
export interface ConsumerProject {
  readonly directory: string;
  /**
   * Type-checks and compiles programs with `strict` and `nodenext`, library declarations included. Resolves to the
   * errors.
   */
  compile(programs: readonly string[], compilerOptions?: object): Promise<string>;
  /**
   * Runs the compiled program and resolves to its output. Rejects with all output if it fails. `node` is `current` or a
   * version for npx.
   */
  run(program: string, node: string): Promise<string>;
}

/** Installs tarballs and the dependencies of a consumer into an empty folder. */
export async function createConsumerProject(
  directory: string,
  packed: readonly PackedPackage[],
  extras: Readonly<Record<string, string>>,
): Promise<ConsumerProject> {
  mkdirSync(directory, { recursive: true });
  const dependencies = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]));
  const manifest = { name: 'consumer', private: true, type: 'module', dependencies: { ...dependencies, ...extras } };
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest, undefined, 2));
  await runCommand('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: directory,
    // Inside a pnpm script, npm would read pnpm's settings and warn about each.
    environment: { npm_config_user_agent: '' },
  });
  const paths = new Map<string, Promise<string>>([['current', Promise.resolve(process.execPath)]]);
  const findNode = async (version: string): Promise<string> => {
    const args = ['--yes', '--package', `node@${version}`, '--', 'node', '-p', 'process.execPath'];
    return (await runCommand('npx', args, { cwd: directory })).stdout.trim();
  };
  return {
    directory,
    async compile(programs, compilerOptions = {}) {
      const project = join(directory, `tsconfig.${programs[0]}.json`);
      const options = {
        target: 'ES2022',
        module: 'nodenext',
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        skipDefaultLibCheck: true,
        types: ['node'],
        outDir: 'out',
        rootDir: '.',
        ...compilerOptions,
      };
      writeFileSync(
        project,
        JSON.stringify({ compilerOptions: options, files: programs.map((program) => `${program}.ts`) }),
      );
      const compiler = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc');
      const outcome = await runCommand(process.execPath, [compiler, '-p', project, '--pretty', 'false'], {
        cwd: directory,
      }).then(
        () => '',
        (error: Error) => error.message,
      );
      return outcome;
    },
    async run(program, node) {
      const known = paths.get(node) ?? findNode(node);
      paths.set(node, known);
      return (await runCommand(await known, [join('out', `${program}.js`)], { cwd: directory })).stdout;
    },
  };
}
