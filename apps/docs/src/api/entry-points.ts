import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryRoot } from '../site-map.ts';

/** A module that users import. */
export interface EntryPoint {
  /** What users write after `from`: `@haft/core/search`. */
  readonly name: string;
  /** Absolute path of the source file. */
  readonly file: string;
  /** Address below `api/`: `haft/core/search`. */
  readonly slug: string;
  /** Description of the package, if this is its root entry. Other entries are described by a comment in their file. */
  readonly description?: string;
}

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** Lists the entry points of all packages, from the exports in their package.json. */
export function listEntryPoints(): readonly EntryPoint[] {
  const packages = join(repositoryRoot, 'packages');
  return readdirSync(packages)
    .filter((folder) => existsSync(join(packages, folder, 'package.json')))
    .toSorted()
    .flatMap((folder) => {
      const manifest = JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8')) as Manifest;
      return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]): readonly EntryPoint[] => {
        const source = typeof target === 'string' ? undefined : target['@haft/source'];
        if (source === undefined) return [];
        const path = subpath.slice(1);
        const file = join(packages, folder, source);
        const entry = { name: `${manifest.name}${path}`, file, slug: `${manifest.name.slice(1)}${path}` };
        return [path === '' ? { ...entry, description: manifest.description } : entry];
      });
    });
}
