/**
 * Refuses to pack a package that has not been built. Run by npm and pnpm before they pack the package in the working directory.
 *
 * usage: node ../../tooling/bundle/src/assert-built.ts
 */
import { findUnbuilt } from './find-unbuilt.ts';

const unbuilt = findUnbuilt(process.cwd());
if (unbuilt.length > 0) {
  console.error(
    `There is no ${unbuilt.join(', no ')}: the package would hold no code. Run "pnpm build" at the root first.`,
  );
  process.exitCode = 1;
}
