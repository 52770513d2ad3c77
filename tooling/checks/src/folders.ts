import { posix } from 'node:path';

import { findModuleReferences } from './module-references.ts';
import type { Problem } from './problem.ts';
import { listSourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import type { WorkspacePackage } from './workspace.ts';

/** Maximum number of source files directly in a folder, tests not counted. */
export const maxFilesInFolder = 14;
/** Maximum number of files in `src/` that are neither entries of the package nor its errors. */
export const maxSharedFiles = 5;

/**
 * Finds folders of a package that import each other, folders with too many files, and files that should not be in
 * `src/`.
 */
export function findFolderProblems(workspacePackage: WorkspacePackage): readonly Problem[] {
  const files = listSourceFiles(workspacePackage).filter(({ role }) => role === 'shipped');
  const entries = entriesOf(workspacePackage);
  const imports = files.flatMap((file) => importsOf(file));
  return [
    ...findLargeFolders(workspacePackage.folder, files),
    ...findStrayFiles(workspacePackage.folder, files, entries, imports),
    ...findFolderCycles(
      workspacePackage.folder,
      imports.filter(({ from }) => !entries.has(from)),
    ),
  ];
}

/** One import of a file of the same package, by value or by type. */
interface OwnImport {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

function importsOf(file: SourceFile): readonly OwnImport[] {
  return findModuleReferences(file.text, file.path)
    .filter(({ specifier, form }) => form === 'import' && specifier.startsWith('.'))
    .map(({ specifier, line }) => ({
      from: file.path,
      to: posix.join(posix.dirname(file.path), specifier),
      line,
    }));
}

/** The files that `package.json` exports under any condition. They may import every folder. */
function entriesOf({ manifest }: WorkspacePackage): ReadonlySet<string> {
  const targets = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  const sources = targets.map((target) => target.replace(/^\.\/dist\/(.*)\.js$/, './src/$1.ts'));
  return new Set(['src/index.ts', ...sources.map((source) => posix.normalize(source))]);
}

function findLargeFolders(folder: string, files: readonly SourceFile[]): readonly Problem[] {
  const counts = Map.groupBy(files, ({ path }) => posix.dirname(path));
  return [...counts]
    .filter(([, inside]) => inside.length > maxFilesInFolder)
    .map(([inside, { length }]) => ({
      where: `${folder}/${inside}`,
      what: `it holds ${length} source files (at most ${maxFilesInFolder})`,
      remedy: 'Group them in subfolders, each named after one responsibility',
    }));
}

function findStrayFiles(
  folder: string,
  files: readonly SourceFile[],
  entries: ReadonlySet<string>,
  imports: readonly OwnImport[],
): readonly Problem[] {
  const shared = files
    .map(({ path }) => path)
    .filter((path) => posix.dirname(path) === 'src' && !entries.has(path) && !path.endsWith('-error.ts'));
  const hasFolders = files.some(({ path }) => posix.dirname(path) !== 'src' && !entries.has(path));
  if (!hasFolders) return [];
  const problems: Problem[] = [];
  if (shared.length > maxSharedFiles) {
    problems.push({
      where: `${folder}/src`,
      what: `it holds ${shared.length} files besides entries and errors (at most ${maxSharedFiles}): ${shared.map((path) => posix.basename(path)).join(', ')}`,
      remedy: 'Move each into the folder that is responsible for it',
    });
  }
  for (const path of shared) {
    const users = new Set(imports.filter(({ to }) => to === path).map(({ from }) => posix.dirname(from)));
    if (users.size < 2)
      problems.push({
        where: `${folder}/${path}`,
        what: 'it is used by fewer than two folders',
        remedy: 'Move it into the folder that uses it',
      });
  }
  return problems;
}

/**
 * Compares, in every folder, the subfolders with each other and with the folder's own files. Everything below a
 * subfolder counts as that subfolder.
 */
function findFolderCycles(folder: string, imports: readonly OwnImport[]): readonly Problem[] {
  const graphs = new Map<string, Map<string, Map<string, OwnImport>>>();
  for (const each of imports) {
    const parent = commonFolder(each.from, each.to);
    const from = childOf(parent, each.from);
    const to = childOf(parent, each.to);
    if (from === to) continue;
    const graph = graphs.get(parent) ?? new Map<string, Map<string, OwnImport>>();
    graphs.set(parent, graph);
    const targets = graph.get(from) ?? new Map<string, OwnImport>();
    graph.set(from, targets);
    if (!targets.has(to)) targets.set(to, each);
  }
  return [...graphs].flatMap(([parent, graph]) => {
    const cycle = findCycle(graph);
    if (cycle === undefined) return [];
    const steps = cycle.map(({ from, to, line }) => `${from}:${line} imports ${to}`);
    return [
      {
        where: `${folder}/${parent}`,
        what: `its folders import each other: ${cycle.map(({ from }) => childOf(parent, from)).join(' → ')} → ${childOf(parent, cycle[0]?.from ?? '')} (${steps.join('; ')})`,
        remedy: 'Move what both sides need into the lower folder, or pass it in as an argument',
      },
    ];
  });
}

function commonFolder(left: string, right: string): string {
  const a = posix.dirname(left).split('/');
  const b = posix.dirname(right).split('/');
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length).join('/');
}

/** The subfolder of `parent` that holds the path, or `(files)` for a file directly in `parent`. */
function childOf(parent: string, path: string): string {
  const [first = '', ...rest] = path.slice(parent.length + 1).split('/');
  return rest.length === 0 ? '(files)' : first;
}

/** Returns the imports along one cycle, or undefined if the graph has none. */
function findCycle(graph: ReadonlyMap<string, ReadonlyMap<string, OwnImport>>): readonly OwnImport[] | undefined {
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): readonly OwnImport[] | undefined => {
    const start = path.indexOf(node);
    if (start !== -1) {
      const nodes = [...path.slice(start), node];
      return nodes.slice(1).flatMap((to, index) => graph.get(nodes[index] ?? '')?.get(to) ?? []);
    }
    if (finished.has(node)) return undefined;
    path.push(node);
    for (const next of graph.get(node)?.keys() ?? []) {
      const cycle = visit(next);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    finished.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
