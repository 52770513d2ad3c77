import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The fields of a package.json that the checks read. */
export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly private?: boolean;
  readonly type?: string;
  readonly license?: string;
  readonly sideEffects?: boolean;
  readonly engines?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly publishConfig?: Readonly<Record<string, unknown>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  /** Libraries of `devDependencies` that the bundler writes into the built files. */
  readonly inlinedDependencies?: readonly string[];
}

/** A package as plain data, so that a test can check an invented one. */
export interface WorkspacePackage {
  /** Path from the root of the repository: `packages/core`. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** Every text file that belongs to the package, by its path inside the folder, without `dist` and `node_modules`. */
  readonly files: ReadonlyMap<string, string>;
}

/** The root of the repository, as an absolute path. */
export const repositoryRoot: string = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

const leftOut = new Set(['node_modules', 'dist', 'coverage']);
const textFile = /\.(?:ts|mts|cts|tsx|js|mjs|cjs|json|jsonl|md|yaml|yml|txt|html|css|svg)$/;

/**
 * Reads the published packages, in alphabetical order. Throws if it finds no package, because a check that cannot run
 * must fail.
 */
export function readPublishedPackages(): readonly WorkspacePackage[] {
  return readFolder('packages');
}

/** Reads what a release publishes: the packages, and the apps that are not private. */
export function readReleasedPackages(): readonly WorkspacePackage[] {
  return [...readPublishedPackages(), ...readFolder('apps').filter(({ manifest }) => manifest.private !== true)];
}

/** Reads all workspace members: packages, apps and tooling. */
export function readAllPackages(): readonly WorkspacePackage[] {
  return [...readFolder('packages'), ...readFolder('apps'), ...readFolder('tooling')];
}

/** Reads one file of the repository as text. */
export function readRepositoryFile(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8');
}

function readFolder(parent: string): readonly WorkspacePackage[] {
  const packages = readdirSync(join(repositoryRoot, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(repositoryRoot, parent, entry.name, 'package.json')))
    .map((entry) => readPackage(`${parent}/${entry.name}`))
    .toSorted((left, right) => (left.folder < right.folder ? -1 : 1));
  if (packages.length === 0) throw new Error(`${parent} contains no package, so there is nothing to check`);
  return packages;
}

function readPackage(folder: string): WorkspacePackage {
  const files = new Map<string, string>();
  readTextFiles(folder, '', files);
  return { folder, manifest: JSON.parse(files.get('package.json') ?? '') as Manifest, files };
}

function readTextFiles(folder: string, inside: string, files: Map<string, string>): void {
  for (const entry of readdirSync(join(repositoryRoot, folder, inside), { withFileTypes: true })) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
    if (entry.name.startsWith('.') || leftOut.has(entry.name)) continue;
    if (entry.isDirectory()) readTextFiles(folder, path, files);
    else if (textFile.test(entry.name)) files.set(path, readFileSync(join(repositoryRoot, folder, path), 'utf8'));
  }
}
