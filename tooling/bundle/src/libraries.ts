import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

/** The fields of a manifest about libraries. */
export interface LibraryManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  /** Libraries that become part of the built files, so that users do not install them. */
  readonly inlinedDependencies?: readonly string[];
}

/**
 * Returns whether an import remains an import in the built files. Libraries in `inlinedDependencies` and their
 * dependencies become part of the files, except for packages that users install anyway.
 */
export function leaveLibraries(manifest: LibraryManifest): (id: string, importer: string | undefined) => boolean {
  const installed = { ...manifest.dependencies, ...manifest.peerDependencies };
  const inlined = new Set(manifest.inlinedDependencies);
  return (id, importer = '') => {
    if (!/^[^./\0]/.test(id) || /^(?:node|haft|haft-on-demand):/.test(id) || /^[a-z]:[\\/]/i.test(id)) return false;
    const library = /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id;
    if (inlined.has(library)) return false;
    return !importer.includes('node_modules') || isBuiltin(id) || Object.hasOwn(installed, library);
  };
}

/**
 * Returns the licences of the libraries among the modules of a bundle, as a text to ship with it. The text is empty if there are no libraries.
 *
 * @param modules - Absolute paths of modules.
 * @param owner - Absolute path of the package that is bundled.
 * @throws `Error` if a library has no licence file.
 */
export function listLicenses(modules: Iterable<string>, owner: string): string {
  const licenses = new Map<string, string>();
  for (const module of modules) {
    const above = module.startsWith(owner) ? owner : '';
    const within = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module.slice(above.length))?.[0];
    if (within === undefined || module.startsWith('\0')) continue;
    const folder = `${above}${within}`;
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Library;
    licenses.set(name, `${name} ${version}\n\n${readLicense(folder)}\n`);
  }
  const sorted = [...licenses].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([, text]) => text).join(`\n${'-'.repeat(72)}\n\n`);
}

interface Library {
  readonly name: string;
  readonly version: string;
}

function readLicense(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`${folder} has no licence file, so it can't become part of a package`);
  return readFileSync(join(folder, file), 'utf8').trim();
}
