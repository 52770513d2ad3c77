/**
 * Run by npm and pnpm before they pack the package in the working directory. Refuses a package that has not been built, and writes
 * the documentation that the package ships: a cached build has the pages of its time.
 *
 * usage: node ../../tooling/bundle/src/before-pack.ts [FILE…]
 *
 * The files must exist, too, such as the page of a package that serves one.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { findUnbuilt } from './find-unbuilt.ts';
import { writePackageDocs } from './package-docs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const unbuilt = findUnbuilt(process.cwd(), process.argv.slice(2));
if (unbuilt.length > 0) {
  console.error(`${unbuilt.join(', ')} missing: the package would be incomplete (run "pnpm build" at the root first)`);
  process.exitCode = 1;
} else {
  await writePackageDocs(root, relative(root, process.cwd()).replaceAll('\\', '/'));
}
