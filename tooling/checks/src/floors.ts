import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

import { findModuleReferences } from './module-references.ts';
import { packageOfSpecifier } from './package-of-specifier.ts';
import type { Problem } from './problem.ts';
import { listSourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import type { WorkspacePackage } from './workspace.ts';

/** The floor of every package of the house; one that is not listed here has no place in it yet. */
export const floors: Readonly<Record<string, number>> = {
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
  '@haft/otel': 2,
  '@haft/ai-sdk': 2,
  '@haft/toolkit': 3,
};

/** Core runs in a browser, so of the ground it may stand only on the two packages that do. */
const groundOfCore = new Set(['@haft/repair', '@haft/schema']);

/** Finds imports that go sideways, upward, around a package's name, or to something the package does not declare. */
export function findFloorProblems(packages: readonly WorkspacePackage[]): readonly Problem[] {
  return packages.flatMap((workspacePackage) => [
    ...placeOf(workspacePackage),
    ...unusedDependencies(workspacePackage),
    ...listSourceFiles(workspacePackage)
      .filter((file) => file.role !== 'fixture')
      .flatMap((file) => problemsOfFile(workspacePackage, file)),
  ]);
}

function placeOf({ folder, manifest }: WorkspacePackage): readonly Problem[] {
  if (!folder.startsWith('packages/') || manifest.name in floors) return [];
  return [
    {
      where: `${folder}/package.json`,
      what: `${manifest.name} stands on no floor`,
      remedy: 'Give it one in tooling/checks/src/floors.ts and in ARCHITECTURE.md',
    },
  ];
}

/** What is declared and never imported is installed by everybody for nothing. */
function unusedDependencies(workspacePackage: WorkspacePackage): readonly Problem[] {
  const { folder, manifest } = workspacePackage;
  if (!folder.startsWith('packages/')) return [];
  const shipped = listSourceFiles(workspacePackage).filter((file) => file.role === 'shipped');
  const used = new Set(
    shipped.flatMap((file) =>
      findModuleReferences(file.text, file.path).map(({ specifier }) => packageOfSpecifier(specifier)),
    ),
  );
  return Object.keys(manifest.dependencies ?? {})
    .filter((name) => !used.has(name))
    .map((name) => ({
      where: `${folder}/package.json`,
      what: `it depends on ${name}, which nothing that is shipped imports`,
      remedy: 'Remove it, or move it to devDependencies when only tests need it',
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

/** A file that is named, not imported: what is published may only name what is published with it. */
function judgeFile(specifier: string, owner: WorkspacePackage, file: SourceFile): Verdict | undefined {
  const leaves = specifier.startsWith('.') && posix.join(posix.dirname(file.path), specifier).startsWith('..');
  if (!leaves || file.role === 'test' || owner.manifest.private === true) return undefined;
  return { why: `which leaves ${owner.folder}`, remedy: 'Take the file in, or be given its place' };
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
  const shipped = { ...manifest.dependencies, ...manifest.peerDependencies };
  const usable =
    file.role === 'test' || owner.manifest.private === true ? { ...shipped, ...manifest.devDependencies } : shipped;
  const shared = file.role === 'test' || owner.manifest.private === true ? rootTools : noTools;
  if (!Object.hasOwn(usable, target) && !shared.has(target)) {
    return {
      why: `which ${owner.folder}/package.json does not declare`,
      remedy: `Add ${target} to its ${file.role === 'test' ? 'devDependencies' : 'dependencies'}, or do without it`,
    };
  }
  return file.role === 'test' ? undefined : judgeFloor(target, owner);
}

const noTools: ReadonlySet<string> = new Set();
/** What the root of the workspace brings to every test. */
const rootTools: ReadonlySet<string> = new Set(['vitest', 'fast-check', 'zod', '@haft-tooling/growth']);

function judgeFloor(target: string, owner: WorkspacePackage): Verdict | undefined {
  const { name } = owner.manifest;
  const own = floors[name];
  if (own === undefined || !target.startsWith('@haft/')) return undefined;
  const other = floors[target];
  if (other === undefined)
    return { why: 'which stands on no floor', remedy: 'Give it one in tooling/checks/src/floors.ts' };
  if (other > own)
    return {
      why: `which is above it (floor ${other}, this is floor ${own})`,
      remedy: 'Turn the import round: the upper package hands in what the lower one needs, by a contract of core',
    };
  if (other === own)
    return {
      why: `which stands beside it on floor ${own}`,
      remedy: 'Move what both need to a floor below, or meet through a contract of core',
    };
  if (name === '@haft/core' && !groundOfCore.has(target)) {
    return { why: 'and core stands on repair and schema alone', remedy: 'Take it in through a contract instead' };
  }
  return undefined;
}
