import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, posix, relative } from 'node:path';

import { findModuleReferences } from './module-references.ts';
import type { Problem } from './problem.ts';
import { repositoryRoot } from './workspace.ts';
import type { WorkspacePackage } from './workspace.ts';

const remedy =
  'The root runs in a browser, a worker and at the edge: do without it, or move it out of what the root loads';

/** Lists the files that an entry loads, including the entry, by following relative imports. */
export function listFilesBehind({ files, folder }: WorkspacePackage, entry: string): readonly string[] {
  if (!files.has(entry)) throw new Error(`${folder}/${entry} does not exist, so its imports cannot be checked`);
  const behind = new Set<string>();
  const queue = [entry];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const text = files.get(path);
    if (text === undefined || behind.has(path)) continue;
    behind.add(path);
    for (const { specifier } of findModuleReferences(text, path)) {
      if (specifier.startsWith('.')) queue.push(posix.join(posix.dirname(path), specifier));
    }
  }
  return [...behind].toSorted();
}

/** Finds Node built-ins that an entry loads, directly or through its own files. */
export function findBuiltinImports(workspacePackage: WorkspacePackage, entry: string): readonly Problem[] {
  const { folder, files } = workspacePackage;
  return listFilesBehind(workspacePackage, entry).flatMap((path) =>
    findModuleReferences(files.get(path) ?? '', path)
      .filter(({ specifier }) => isBuiltin(specifier))
      .map(({ specifier, line }) => ({
        where: `${folder}/${path}:${line}`,
        what: `it imports the Node built-in '${specifier}'`,
        remedy,
      })),
  );
}

/**
 * Compiles entries against the ES2022 library and the globals that every runtime shares. Features of Node only, of
 * browsers only or of a later ECMAScript don't compile.
 */
export function findUnportableUses(entries: readonly string[]): readonly Problem[] {
  const directory = mkdtempSync(join(tmpdir(), 'haft-portable-'));
  try {
    const project = join(directory, 'tsconfig.json');
    writeFileSync(project, JSON.stringify(projectFor(entries)));
    const compiler = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [compiler, '-p', project, '--listFiles', '--pretty', 'false'],
      {
        cwd: repositoryRoot,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    const lines = stdout.split('\n');
    const nodeTypes = lines.find((line) => /node_modules[\\/]@types[\\/]node[\\/]/.test(line));
    if (nodeTypes !== undefined)
      throw new Error(`the types of Node were loaded (${nodeTypes}), so the check could not fail`);
    const problems = lines.flatMap((line): readonly Problem[] => {
      const [, file, row, message] = /^(.+?)\((\d+),\d+\): error (TS\d+: .+)$/.exec(line) ?? [];
      if (file === undefined) return [];
      const path = relative(repositoryRoot, join(repositoryRoot, file)).replaceAll('\\', '/');
      return [
        {
          where: `${path}:${row}`,
          what: `it does not compile for every runtime (${message?.replace(/\.$/, '')})`,
          remedy,
        },
      ];
    });
    if (status !== 0 && problems.length === 0) throw new Error(`the compiler did not run: ${stdout}${stderr}`);
    return problems;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function projectFor(entries: readonly string[]): object {
  return {
    extends: join(repositoryRoot, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: true,
      composite: false,
      declaration: false,
      declarationMap: false,
      isolatedDeclarations: false,
      target: 'ES2022',
      lib: ['ES2022'],
      types: [],
      rewriteRelativeImportExtensions: false,
      allowImportingTsExtensions: true,
    },
    files: [join(repositoryRoot, 'tooling', 'checks', 'portable-globals.d.ts'), ...entries],
  };
}
