/**
 * Refuses to pack a package that has not been built. Run by npm and pnpm before they pack the package in the working directory.
 *
 * usage: node ../../tooling/bundle/src/assert-built.ts [FILE…]
 *
 * The files must exist, too, such as the page of a package that serves one.
 */
import { findUnbuilt } from './find-unbuilt.ts';

const unbuilt = findUnbuilt(process.cwd(), process.argv.slice(2));
if (unbuilt.length > 0) {
  console.error(`${unbuilt.join(', ')} missing: the package would be incomplete (run "pnpm build" at the root first)`);
  process.exitCode = 1;
}
