import { posix } from 'node:path';

import { findModuleReferences } from './module-references.ts';
import type { Problem } from './problem.ts';
import { listSourceFiles } from './source-files.ts';
import type { WorkspacePackage } from './workspace.ts';

/**
 * Finds missing and wrong fields in the manifest, the export map, the references and the files of a published package.
 */
export function findShapeProblems(workspacePackage: WorkspacePackage): readonly Problem[] {
  return [
    ...manifestProblems(workspacePackage),
    ...exportProblems(workspacePackage),
    ...reachProblems(workspacePackage),
    ...referenceProblems(workspacePackage),
  ];
}

const requiredFiles = ['dist', '!dist/*.tsbuildinfo'];

/** The packages that need no modules of Node. The rehearsal of a release runs them on all runtimes. */
const everywhere: ReadonlySet<string> = new Set(['packages/repair', 'packages/schema', 'packages/core']);

const plainBuild = 'tsc -b';
/** A package that is packed before a build contains no code. */
const refusalToPack = 'node ../../tooling/bundle/src/before-pack.ts';
/** Files that a package builds in addition to its code, and that it is not packed without. */
const additions = [
  {
    source: 'page/vite.config.ts',
    build: ' && tsc -p page && vite build page --logLevel warn',
    built: 'dist/page/index.html',
  },
  {
    source: 'database/write-database.ts',
    build: ' && node database/write-database.ts',
    built: 'dist/new-database.bin',
  },
] as const;
const bundledBuild = 'tsc -b && node ../../tooling/bundle/src/main.ts .';

/** Whether the compiler writes only declarations, and the bundler writes one file per entry. */
export function isBundled(files: WorkspacePackage['files']): boolean {
  const { compilerOptions } = JSON.parse(files.get('tsconfig.json') ?? '{}') as {
    readonly compilerOptions?: { readonly emitDeclarationOnly?: boolean };
  };
  return compilerOptions?.emitDeclarationOnly === true;
}

function additionsOf(files: WorkspacePackage['files']): readonly (typeof additions)[number][] {
  return additions.filter(({ source }) => files.has(source));
}

function buildOf(files: WorkspacePackage['files']): string {
  const own = isBundled(files) ? bundledBuild : plainBuild;
  return [own, ...additionsOf(files).map(({ build }) => build)].join('');
}

function refusalToPackOf(files: WorkspacePackage['files']): string {
  return [refusalToPack, ...additionsOf(files).map(({ built }) => built)].join(' ');
}

function manifestProblems({ folder, manifest, files }: WorkspacePackage): readonly Problem[] {
  const where = `${folder}/package.json`;
  const expected: readonly (readonly [field: string, actual: unknown, wanted: unknown])[] = [
    ['name', manifest.name, `@haft/${posix.basename(folder)}`],
    ['type', manifest.type, 'module'],
    ['license', manifest.license, 'Apache-2.0'],
    ['engines.node', manifest.engines?.['node'], everywhere.has(folder) ? '>=20' : '>=22.22'],
    ['sideEffects', manifest.sideEffects, false],
    ['publishConfig.access', manifest.publishConfig?.['access'], 'public'],
    ['scripts.build', manifest.scripts?.['build'], buildOf(files)],
    ['scripts.prepack', manifest.scripts?.['prepack'], refusalToPackOf(files)],
    ['private', manifest.private, undefined],
  ];
  const problems = expected
    .filter(([, actual, wanted]) => actual !== wanted)
    .map(([field, actual, wanted]) => ({
      where,
      what: `"${field}" is ${JSON.stringify(actual) ?? 'missing'}`,
      remedy: wanted === undefined ? 'Remove it' : `Set it to ${JSON.stringify(wanted)}`,
    }));
  if (!manifest.description)
    problems.push({ where, what: 'there is no description', remedy: 'Describe its purpose in a sentence' });
  if (!/^\d+\.\d+\.\d+/.test(manifest.version ?? '')) {
    problems.push({
      where,
      what: `the version ${JSON.stringify(manifest.version)} is not valid`,
      remedy: 'Start at 0.0.0, which the first release makes 0.1.0',
    });
  }
  const missing = requiredFiles.filter((pattern) => !manifest.files?.includes(pattern));
  if (missing.length > 0) {
    problems.push({
      where,
      what: `"files" lacks ${missing.join(', ')}`,
      remedy: 'Ship dist, without build records',
    });
  }
  for (const [name, range] of Object.entries(manifest.peerDependencies ?? {})) {
    if (hasUpperBound(range)) continue;
    problems.push({
      where,
      what: `the peer dependency ${name} at ${JSON.stringify(range)} has no upper bound`,
      remedy: 'Name the next major version, such as ">=8.16.0 <9": it may break what was tested',
    });
  }
  return problems;
}

/** Whether every alternative of a range has an upper bound. */
function hasUpperBound(range: string): boolean {
  return range.split('||').every((part) => /[\^~<]|^\s*\d/.test(part) || part.startsWith('workspace:'));
}

function exportProblems({ folder, manifest, files }: WorkspacePackage): readonly Problem[] {
  const where = `${folder}/package.json`;
  const entries = Object.entries(manifest.exports ?? {});
  const problems: Problem[] = [];
  if (manifest.exports?.['.'] === undefined)
    problems.push({ where, what: 'there is no export "."', remedy: 'Export src/index.ts' });
  if (manifest.exports?.['./package.json'] !== './package.json') {
    problems.push({ where, what: 'package.json is not exported', remedy: 'Tools read it: export "./package.json"' });
  }
  for (const [subpath, target] of entries) {
    if (subpath === './package.json') continue;
    const at = `${where} (export "${subpath}")`;
    if (typeof target === 'string') {
      problems.push({ where: at, what: 'it has no conditions', remedy: 'Give it @haft/source, types and default' });
      continue;
    }
    const conditions = Object.keys(target).join();
    if (conditions !== defaultConditions && conditions !== onDemandConditions) {
      problems.push({
        where: at,
        what: `its conditions are ${Object.keys(target).join(', ')}`,
        remedy: 'Write @haft/source, types, default, in this order',
      });
      continue;
    }
    const source = target['@haft/source'] ?? '';
    const stem = /^\.\/src\/(.+)\.ts$/.exec(source)?.[1];
    if (stem === undefined || !files.has(source.slice(2))) {
      problems.push({ where: at, what: `its source ${source} does not exist`, remedy: 'Point it at a file under src' });
      continue;
    }
    if (target['types'] !== `./dist/${stem}.d.ts` || target['default'] !== `./dist/${stem}.js`) {
      problems.push({
        where: at,
        what: `its types or default are not the build output of ${source}`,
        remedy: `Write ./dist/${stem}.d.ts and ./dist/${stem}.js`,
      });
    }
    if (conditions === onDemandConditions) problems.push(...onDemandProblems(at, target, files));
  }
  const sources = new Set(entries.map(([, target]) => (typeof target === 'string' ? target : target['@haft/source'])));
  for (const entry of ['src/index.ts', 'src/testing.ts']) {
    if (files.has(entry) && !sources.has(`./${entry}`)) {
      problems.push({
        where: `${folder}/${entry}`,
        what: 'no export names this entry',
        remedy: 'Add it to the export map',
      });
    }
  }
  return problems;
}

const defaultConditions = '@haft/source,types,default';
/**
 * The conditions of an entry with a variant that loads code on demand. Bundlers use `module` or `default`; only Node
 * knows `module-sync`, which says that modules can be required.
 */
const onDemandConditions = '@haft/source,types,module,deno,bun,module-sync,default';

function onDemandProblems(
  where: string,
  target: Readonly<Record<string, string>>,
  files: WorkspacePackage['files'],
): readonly Problem[] {
  const problems: Problem[] = [];
  const astray = ['module', 'deno', 'bun'].filter((condition) => target[condition] !== target['default']);
  if (astray.length > 0) {
    problems.push({
      where,
      what: `${astray.join(', ')} differ from default`,
      remedy: 'Give all runtimes except Node the complete entry',
    });
  }
  const source = builtFrom(target['module-sync']);
  // The bundler writes the variant of an entry itself, unless there is a source file of that name.
  const generated = (target['@haft/source'] ?? '').replace(/^\.\/(.+)\.ts$/, '$1-on-demand.ts');
  if (source === undefined || (source !== generated && !files.has(source))) {
    problems.push({ where, what: 'the entry for Node has no source', remedy: 'Point it at a file of dist' });
  }
  return problems;
}

function builtFrom(path: string | undefined): string | undefined {
  const stem = /^\.\/dist\/(.+)\.js$/.exec(path ?? '')?.[1];
  return stem === undefined ? undefined : `src/${stem}.ts`;
}

/** Every shipped file must be reachable from an export or a bin. This is the inverse of the check of the export map. */
function reachProblems(workspacePackage: WorkspacePackage): readonly Problem[] {
  const { folder, manifest, files } = workspacePackage;
  const shipped = listSourceFiles(workspacePackage).filter((file) => file.role === 'shipped');
  const reached = new Set<string>();
  const queue = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === 'string'
      ? []
      : [(target['@haft/source'] ?? '').replace(/^\.\//, ''), builtFrom(target['module-sync']) ?? ''],
  );
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const text = files.get(path);
    if (text === undefined || reached.has(path)) continue;
    reached.add(path);
    for (const { specifier } of findModuleReferences(text, path)) {
      if (!specifier.startsWith('.')) continue;
      const target = posix.join(posix.dirname(path), specifier);
      // A file that is started as a process is referenced by its built path; its source has the same name.
      queue.push(target, target.replace(/\.js$/, '.ts'));
    }
  }
  return shipped
    .filter((file) => !reached.has(file.path))
    .map((file) => ({
      where: `${folder}/${file.path}`,
      what: 'it would be published, but no export reaches it',
      remedy: 'Export it, use it, delete it, or move it under fixtures/ if only tests need it',
    }));
}

function referenceProblems({ folder, manifest, files }: WorkspacePackage): readonly Problem[] {
  const where = `${folder}/tsconfig.json`;
  const text = files.get('tsconfig.json');
  if (text === undefined) return [{ where, what: 'it is missing', remedy: 'Extend ../../tsconfig.base.json' }];
  const { references = [] } = JSON.parse(text) as { readonly references?: readonly { readonly path: string }[] };
  const wanted = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
    .filter((name) => name.startsWith('@haft/'))
    .map((name) => name.replace('@haft/', '../'))
    .toSorted();
  const actual = references.map((reference) => reference.path).toSorted();
  return actual.join() === wanted.join()
    ? []
    : [
        {
          where,
          what: `it references ${actual.join(', ') || 'nothing'} while the package depends on ${wanted.join(', ') || 'nothing'}`,
          remedy: 'Make the two equal, so that `tsc -b` builds in the right order',
        },
      ];
}
