import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the bytes that an installation of a package brings: its files and those of all packages that it depends on, without optional ones.
 *
 * @param modules - Absolute path of a `node_modules` that holds each of them once.
 * @throws `Error` if one is missing.
 */
export function measureInstallation(modules: string, name: string): number {
  const waiting = [name];
  const found = new Set(waiting);
  let bytes = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const folder = join(modules, next);
    if (!existsSync(folder)) throw new Error(`${name} needs ${next}, which is not in ${modules}`);
    bytes += sizeOfFolder(folder);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    const peers = Object.keys(manifest.peerDependencies ?? {});
    const needed = peers.filter((peer) => manifest.peerDependenciesMeta?.[peer]?.optional !== true);
    for (const dependency of [...Object.keys(manifest.dependencies ?? {}), ...needed]) {
      if (found.has(dependency)) continue;
      found.add(dependency);
      waiting.push(dependency);
    }
  }
  return bytes;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

function sizeOfFolder(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}
