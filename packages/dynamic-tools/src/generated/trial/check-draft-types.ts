import { existsSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createCleanEnvironment, createJail, runProcess } from '@haft/sandbox';
import { findReadablePackages } from '../../files/readable-packages.ts';
import { toolModule } from '../folder/write-tool-folder.ts';

/** The result of the type check. */
export type TypeCheck =
  | { readonly state: 'passed' }
  /** The types were not checked, because TypeScript is missing or failed. */
  | { readonly state: 'skipped'; readonly reason: string }
  | { readonly state: 'failed'; readonly diagnostics: readonly TypeDiagnostic[] };

export interface TypeDiagnostic {
  /** Line of the body, starting at 1. Smaller numbers are lines before the body. */
  readonly line: number;
  /** The code of the diagnostic, such as `TS2322`. */
  readonly code: string;
  readonly message: string;
}

export interface TypeCheckOptions {
  /** The folder of the tool. */
  readonly folder: string;
  readonly linesBefore: number;
  readonly jail: 'required' | 'preferred' | 'off';
  /** Files of the program, whose locations determine where its packages are found. */
  readonly bases: readonly string[];
  readonly signal?: AbortSignal;
}

const timeoutMs = 60_000;
const maxDiagnostics = 10;
/** Loose declarations of Node's modules and globals, used if @types/node is not installed. */
const looseTypes = `declare module 'node:*';
declare const Buffer: any;
declare const process: any;
`;

/**
 * Checks a tool's types with an installed TypeScript. The compiler runs in the jail, because a type may name any file.
 */
export async function checkTypes(options: TypeCheckOptions): Promise<TypeCheck> {
  const { folder, linesBefore, bases, signal } = options;
  const compiler = findPackage('typescript', bases);
  if (compiler === undefined) return { state: 'skipped', reason: 'typescript is not installed' };
  const jail = await createJail({ policy: options.jail, onWarning: () => undefined });
  if (!jail.ok) return { state: 'skipped', reason: jail.message };
  const nodeTypes = findPackage('@types/node', bases);
  const types = nodeTypes === undefined ? [] : ['--types', 'node', '--typeRoots', dirname(nodeTypes)];
  const extra = nodeTypes === undefined ? ['node-types.d.ts'] : [];
  if (nodeTypes === undefined) await writeFile(join(folder, 'node-types.d.ts'), looseTypes);
  const flags = [
    '--noEmit --strict --skipLibCheck --resolveJsonModule --pretty false --target es2023 --lib es2023,dom',
    '--module nodenext --moduleResolution nodenext',
  ].join(' ');
  const read = [folder, compiler, ...findReadablePackages(bases)].map((path) => realpathSync(path));
  const command = jail.wrap(
    {
      file: process.execPath,
      args: [join(compiler, 'bin', 'tsc'), ...flags.split(' '), ...types, toolModule, ...extra],
      cwd: folder,
    },
    { read, write: [], network: false },
  );
  const result = await runProcess({
    command: command.file,
    args: command.args,
    cwd: folder,
    env: createCleanEnvironment(),
    timeoutMs,
    killGraceMs: 100,
    maxOutputBytes: 200_000,
    ...(signal && { signal }),
  });
  if (result.exitCode === 0) return { state: 'passed' };
  const diagnostics = readDiagnostics(result.output.text, linesBefore);
  if (diagnostics.length > 0) return { state: 'failed', diagnostics };
  return {
    state: 'skipped',
    reason: result.timedOut ? `tsc took more than ${timeoutMs / 1_000} s` : 'tsc could not be run',
  };
}

/** Returns the folder of a package, as this package or the program resolves it. */
function findPackage(name: string, bases: readonly string[]): string | undefined {
  for (const base of [import.meta.url, ...bases]) {
    for (const folder of createRequire(base).resolve.paths(name) ?? [])
      if (existsSync(join(folder, name, 'package.json'))) return realpathSync(join(folder, name));
  }
  return undefined;
}

function readDiagnostics(output: string, linesBefore: number): readonly TypeDiagnostic[] {
  const found: { line: number; code: string; message: string }[] = [];
  for (const text of output.split('\n')) {
    const [, file, line, code, message] = /^(\S+?)\((\d+),\d+\): error (TS\d+): (.*)$/.exec(text) ?? [];
    if (file === toolModule) found.push({ line: Number(line) - linesBefore, code: code ?? '', message: message ?? '' });
    else if (/^\s+\S/.test(text) && found.length > 0) found.at(-1)!.message += ` ${text.trim()}`;
  }
  return found.slice(0, maxDiagnostics).map((one) => ({ ...one, message: one.message.slice(0, 500) }));
}
