import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

import { findModuleReferences } from './module-references.ts';
import { packageOfSpecifier } from './package-of-specifier.ts';
import type { Problem } from './problem.ts';
import { listSourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import type { WorkspacePackage } from './workspace.ts';

/** The layer of each package. A package that is not listed here is reported. */
export const layers: Readonly<Record<string, number>> = {
  '@haft/repair': 0,
  '@haft/schema': 0,
  '@haft/sandbox': 0,
  '@haft/store': 0,
  '@haft/core': 1,
  '@haft/builtins': 2,
  '@haft/permission': 2,
  '@haft/journal': 2,
  '@haft/mcp': 2,
  '@haft/dynamic-tools': 2,
  '@haft/runner': 2,
  '@haft/jobs': 2,
  '@haft/otel': 2,
  '@haft/ai-sdk': 2,
  '@haft/toolkit': 3,
  '@haft/workbench': 3,
};

/** Core runs in a browser, so it may import only the two packages that also do. */
const importsAllowedInCore = new Set(['@haft/repair', '@haft/schema']);

/**
 * Finds imports from the same or a higher layer, imports that bypass a package's name, and imports of undeclared
 * packages.
 */
export function findLayerProblems(packages: readonly WorkspacePackage[]): readonly Problem[] {
  return packages.flatMap((workspacePackage) => [
    ...missingLayer(workspacePackage),
    ...unusedDependencies(workspacePackage),
    ...listSourceFiles(workspacePackage)
      .filter((file) => file.role !== 'fixture')
      .flatMap((file) => problemsOfFile(workspacePackage, file)),
  ]);
}

function missingLayer({ folder, manifest }: WorkspacePackage): readonly Problem[] {
  if (!folder.startsWith('packages/') || manifest.name in layers) return [];
  return [
    {
      where: `${folder}/package.json`,
      what: `${manifest.name} has no layer`,
      remedy: 'Add it to tooling/checks/src/layers.ts and to ARCHITECTURE.md',
    },
  ];
}

/** Reports dependencies that are declared but never imported: users would install them needlessly. */
function unusedDependencies(workspacePackage: WorkspacePackage): readonly Problem[] {
  const { folder, manifest } = workspacePackage;
  if (!folder.startsWith('packages/')) return [];
  const shipped = listSourceFiles(workspacePackage).filter((file) => file.role === 'shipped');
  const used = new Set(
    shipped.flatMap((file) =>
      findModuleReferences(file.text, file.path).map(({ specifier }) => packageOfSpecifier(specifier)),
    ),
  );
  return [...Object.keys(manifest.dependencies ?? {}), ...(manifest.inlinedDependencies ?? [])]
    .filter((name) => !used.has(name))
    .map((name) => ({
      where: `${folder}/package.json`,
      what: `it depends on ${name}, which no shipped file imports`,
      remedy: 'Remove it, or move it to devDependencies if only tests need it',
    }));
}

function problemsOfFile(owner: WorkspacePackage, file: SourceFile): readonly Problem[] {
  return findModuleReferences(file.text, file.path).flatMap((reference) => {
    const verdict =
      reference.form === 'url' ? judgeFile(reference.specifier, owner, file) : judge(reference.specifier, owner, file);
    const says = reference.form === 'url' ? 'names' : 'imports';
    return verdict === undefined
      ? []
      : [
          {
            where: `${owner.folder}/${file.path}:${reference.line}`,
            what: `${says} '${reference.specifier}', ${verdict.why}`,
            remedy: verdict.remedy,
          },
        ];
  });
}

interface Verdict {
  readonly why: string;
  readonly remedy: string;
}

function judge(specifier: string, owner: WorkspacePackage, file: SourceFile): Verdict | undefined {
  return specifier.startsWith('.') ? judgeRelative(specifier, owner, file) : judgeBare(specifier, owner, file);
}

/** A file that is referenced by its path instead of imported. Published files may only reference published files. */
function judgeFile(specifier: string, owner: WorkspacePackage, file: SourceFile): Verdict | undefined {
  const leaves = specifier.startsWith('.') && posix.join(posix.dirname(file.path), specifier).startsWith('..');
  if (!leaves || isUnpublished(file, owner)) return undefined;
  return {
    why: `which leaves ${owner.folder}`,
    remedy: 'Move the file into the package, or accept its path as an argument',
  };
}

function judgeRelative(specifier: string, owner: WorkspacePackage, file: SourceFile): Verdict | undefined {
  const target = posix.join(posix.dirname(file.path), specifier);
  if (target.startsWith('..')) {
    return { why: `which leaves ${owner.folder}`, remedy: 'Import the other package by its name' };
  }
  if (file.role === 'shipped' && target.startsWith('src/') && /(?:^|\/)fixtures\/|\.test(?:-d)?\.ts$/.test(target)) {
    return { why: 'which is not shipped', remedy: 'Move what is needed out of the test or the fixtures' };
  }
  if (file.role === 'shipped' && /\.(?:js|mjs)$|(?:^|\/)[^.]+$/.test(target)) {
    return {
      why: 'without the `.ts` extension that lets it run unbuilt',
      remedy: 'Write the extension of the source file',
    };
  }
  return undefined;
}

function judgeBare(specifier: string, owner: WorkspacePackage, file: SourceFile): Verdict | undefined {
  if (isBuiltin(specifier)) {
    return specifier.startsWith('node:')
      ? undefined
      : { why: 'a Node built-in without its prefix', remedy: `Write 'node:${specifier}'` };
  }
  const { manifest } = owner;
  const target = packageOfSpecifier(specifier);
  if (target === manifest.name) {
    return file.role === 'test' ? undefined : { why: 'which is its own package', remedy: 'Import the file itself' };
  }
  const inlined = Object.fromEntries((manifest.inlinedDependencies ?? []).map((name) => [name, 'inlined']));
  const shipped = { ...manifest.dependencies, ...manifest.peerDependencies, ...inlined };
  const usable = isUnpublished(file, owner) ? { ...shipped, ...manifest.devDependencies } : shipped;
  const shared = isUnpublished(file, owner) ? rootTools : noTools;
  if (!Object.hasOwn(usable, target) && !shared.has(target)) {
    return {
      why: `which ${owner.folder}/package.json does not declare`,
      remedy: `Add ${target} to its ${file.role === 'test' ? 'devDependencies' : 'dependencies'}, or remove the import`,
    };
  }
  return file.role === 'test' ? undefined : checkLayer(target, owner);
}

const noTools: ReadonlySet<string> = new Set();
/** Dependencies of the workspace root, which every test may use. */
const rootTools: ReadonlySet<string> = new Set(['vitest', 'fast-check', 'zod', '@haft-tooling/growth']);

function checkLayer(target: string, owner: WorkspacePackage): Verdict | undefined {
  const { name } = owner.manifest;
  const own = layers[name];
  if (own === undefined || !target.startsWith('@haft/')) return undefined;
  const other = layers[target];
  if (other === undefined) return { why: 'which has no layer', remedy: 'Add it to tooling/checks/src/layers.ts' };
  if (other > own)
    return {
      why: `which is above it (layer ${other}, this is layer ${own})`,
      remedy:
        'Invert the dependency: let the upper package pass in what the lower one needs, through a contract of core',
    };
  if (other === own)
    return {
      why: `which is on the same layer (${own})`,
      remedy: 'Move the shared code to a lower layer, or use a contract of core',
    };
  if (name === '@haft/core' && !importsAllowedInCore.has(target)) {
    return {
      why: 'but core may import only repair and schema',
      remedy: 'Accept it through a contract of core instead',
    };
  }
  return undefined;
}

/** Tests, private packages, and the folder of test support that a published app leaves out. */
function isUnpublished({ role, path }: Pick<SourceFile, 'role' | 'path'>, { manifest }: WorkspacePackage): boolean {
  const isLeftOut = path.startsWith('src/testing/') && manifest.files?.includes('!dist/testing') === true;
  return role === 'test' || manifest.private === true || isLeftOut;
}
