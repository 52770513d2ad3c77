import { basename } from 'node:path';

import { UsageError } from '../program/usage-error.ts';

const pattern = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const maximum = 64;

/**
 * Returns the name of the project that a folder will contain. It becomes the name of the npm package, of a command, or
 * of a plugin, so it is stricter than each of these needs.
 *
 * @throws UsageError if the folder's name is not valid for a project; the message suggests a valid one.
 */
export function projectName(folder: string): string {
  const name = basename(folder);
  const reason = explain(name);
  if (reason === undefined) return name;
  throw new UsageError(
    `${JSON.stringify(name)}: a project can't have this name, because ${reason} (expected a name such as "${suggest(name)}")`,
  );
}

/** Returns the reason why a name is not valid. */
function explain(name: string): string | undefined {
  if (reserved.has(name)) return 'the name is reserved';
  if (name.length > maximum) return `it has ${name.length} characters, and at most ${maximum} are allowed`;
  if (pattern.test(name)) return undefined;
  if (/[A-Z]/.test(name)) return 'it contains capitals';
  if (/\s/.test(name)) return 'it contains spaces';
  if (!/^[a-z]/.test(name)) return 'it does not begin with a letter from a to z';
  return 'it contains characters besides a to z, 0 to 9 and single hyphens between them';
}

/** Names that npm refuses, and names of packages that the project depends on or of its own folders. */
const reserved: ReadonlySet<string> = new Set([
  'node_modules',
  'favicon',
  'src',
  'test',
  'haft',
  'ai',
  'zod',
  'next',
  'react',
  'npm',
  'node',
  'http',
  'https',
  'fs',
  'path',
  'stream',
  'util',
  'url',
  'crypto',
  'process',
  'events',
  'module',
  'os',
  'net',
  'dns',
  'tls',
  'vm',
  'zlib',
]);

function suggest(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const joined = words
    .join('-')
    .replace(/^[^a-z]+/, '')
    .slice(0, maximum)
    .replace(/-$/, '');
  if (joined === '') return 'my-project';
  return reserved.has(joined) ? `my-${joined}` : joined;
}
