import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { BuiltPage } from './find-broken-links.ts';

/** Reads the built site. Throws if it has no page, because a check that cannot run must fail. */
export function readSite(directory: string): {
  readonly pages: readonly BuiltPage[];
  readonly files: ReadonlySet<string>;
} {
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length).replaceAll('\\', '/'));
  const pages = paths
    .filter((path) => path.endsWith('/index.html'))
    .map((path) => ({
      address: path.slice(0, -'index.html'.length),
      html: readFileSync(join(directory, path), 'utf8'),
    }));
  if (pages.length === 0)
    throw new Error(`${directory} contains no page (expected the built site; run pnpm docs:build)`);
  return { pages, files: new Set(paths) };
}
