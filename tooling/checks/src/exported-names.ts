import { parseSync } from 'oxc-parser';

import type { WorkspacePackage } from './workspace.ts';

/** A name that an entry of a package exports. */
export interface ExportedName {
  readonly name: string;
  readonly kind: 'value' | 'type';
}

/** Lists what one entry file exports, sorted. `export *` throws: an index names what it gives away. */
export function listExportedNames(text: string, path: string): readonly ExportedName[] {
  const { module, program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const declaredTypes = new Set(
    program.body.flatMap((node) =>
      node.type === 'ExportNamedDeclaration' &&
      (node.declaration?.type === 'TSInterfaceDeclaration' || node.declaration?.type === 'TSTypeAliasDeclaration')
        ? [node.declaration.id.name]
        : [],
    ),
  );
  return module.staticExports
    .flatMap((statement) => statement.entries)
    .map((entry): ExportedName => {
      const { name } = entry.exportName;
      if (name === null || name === undefined) {
        throw new Error(`${path} re-exports everything of ${entry.moduleRequest?.value}: name each export instead`);
      }
      return { name, kind: entry.isType || declaredTypes.has(name) ? 'type' : 'value' };
    })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** Lists the exports of each entry of a package, by its import specifier: `@haft/core/testing`. */
export function listExportsOfPackage({
  manifest,
  folder,
  files,
}: WorkspacePackage): ReadonlyMap<string, readonly ExportedName[]> {
  const bySpecifier = new Map<string, readonly ExportedName[]>();
  for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
    if (typeof target === 'string') continue;
    const source = (target['@haft/source'] ?? '').replace(/^\.\//, '');
    const text = files.get(source);
    if (text === undefined) throw new Error(`${folder}/package.json exports ${source}, which does not exist`);
    bySpecifier.set(manifest.name + subpath.slice(1), listExportedNames(text, `${folder}/${source}`));
  }
  return bySpecifier;
}
