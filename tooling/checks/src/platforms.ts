import type { Problem } from './problem.ts';
import { listSourceFiles } from './source-files.ts';
import type { WorkspacePackage } from './workspace.ts';

/** Matches code that depends on the platform. */
const platformWords = /process\.platform|'win32'|'darwin'/;
const page = 'docs/platforms.md';

/** Compares the files that depend on the platform with the list at the end of the page, in both directions. */
export function findPlatformProblems(packages: readonly WorkspacePackage[], text: string): readonly Problem[] {
  const listed = new Set([...text.matchAll(/^- `([^`]+\.ts)`$/gm)].map(([, path = '']) => path));
  const knowing = packages.flatMap((one) =>
    listSourceFiles(one)
      .filter(({ role, path }) => role === 'shipped' && platformWords.test(one.files.get(path) ?? ''))
      .map(({ path }) => `${one.folder}/${path}`),
  );
  return [
    ...knowing
      .filter((path) => !listed.has(path) && !path.includes('/testing/'))
      .map((path) => ({
        where: path,
        what: 'it asks for the platform, and is not listed',
        remedy: `Use a file that is, or list it in ${page} and say there what is tested`,
      })),
    ...[...listed]
      .filter((path) => !knowing.includes(path))
      .map((path) => ({
        where: page,
        what: `${path} does not ask for the platform`,
        remedy: 'Remove it from the list',
      })),
  ];
}
