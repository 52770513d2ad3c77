/**
 * Refuses to pack a package that has not been built. Run by npm and pnpm before they pack the package in the working directory.
 *
 * usage: node ../../tooling/bundle/src/assert-built.ts
 */
import { findUnbuilt } from './find-unbuilt.ts';

const unbuilt = findUnbuilt(process.cwd());
if (unbuilt.length > 0) {
  console.error(
    `${unbuilt.join(', ')} missing: the package would contain no code (run "pnpm build" at the root first)`,
  );
  process.exitCode = 1;
}
