import { posix } from 'node:path';

import { parseSync } from 'oxc-parser';

import type { Problem } from './problem.ts';
import type { WorkspacePackage } from './workspace.ts';

/** A name that an entry of a package exports. */
export interface ExportedName {
  readonly name: string;
  readonly kind: 'value' | 'type';
}

/** Lists the exports of one entry of a package, sorted. Follows `export *` of the package's own files. */
export function listExportedNames(workspacePackage: WorkspacePackage, path: string): readonly ExportedName[] {
  const { files, folder } = workspacePackage;
  const text = files.get(path);
  if (text === undefined) throw new Error(`${folder}/${path} does not exist, so its exports cannot be listed`);
  const { entries, types } = readExports(text, `${folder}/${path}`);
  const names = entries.flatMap((entry): readonly ExportedName[] => {
    const { name } = entry.exportName;
    if (typeof name === 'string') return [{ name, kind: entry.isType || types.has(name) ? 'type' : 'value' }];
    const target = entry.moduleRequest?.value ?? '';
    if (!target.startsWith('.')) throw new Error(`${folder}/${path} re-exports everything of ${target}`);
    return listExportedNames(workspacePackage, posix.join(posix.dirname(path), target));
  });
  return names.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** Lists the exports of each entry of a package, by its import specifier: `@haft/core/testing`. */
export function listExportsOfPackage(workspacePackage: WorkspacePackage): ReadonlyMap<string, readonly ExportedName[]> {
  const { manifest } = workspacePackage;
  const bySpecifier = new Map<string, readonly ExportedName[]>();
  for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
    if (typeof target === 'string') continue;
    const source = (target['@haft/source'] ?? '').replace(/^\.\//, '');
    bySpecifier.set(manifest.name + subpath.slice(1), listExportedNames(workspacePackage, source));
  }
  return bySpecifier;
}

/** Finds files that re-export everything of another file. Exports must be listed by name. */
export function findOpenExports({ folder, files }: WorkspacePackage): readonly Problem[] {
  return [...files]
    .filter(([path]) => /^src\/.*\.ts$/.test(path) && !path.includes('/fixtures/'))
    .flatMap(([path, text]) =>
      readExports(text, `${folder}/${path}`)
        .entries.filter((entry) => typeof entry.exportName.name !== 'string')
        .map((entry) => ({
          where: `${folder}/${path}`,
          what: `it re-exports everything of '${entry.moduleRequest?.value}'`,
          remedy: 'Name each export',
        })),
    );
}

function readExports(text: string, path: string) {
  const { module, program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const types = new Set(
    program.body.flatMap((node) =>
      node.type === 'ExportNamedDeclaration' &&
      (node.declaration?.type === 'TSInterfaceDeclaration' || node.declaration?.type === 'TSTypeAliasDeclaration')
        ? [node.declaration.id.name]
        : [],
    ),
  );
  return { entries: module.staticExports.flatMap((statement) => statement.entries), types };
}
