import { listExportsOfPackage } from './exported-names.ts';
import type { Problem } from './problem.ts';
import type { WorkspacePackage } from './workspace.ts';

/** Returns the public names of a package, one per line: `@haft/core value defineTool`. */
export function renderPublicNames(workspacePackage: WorkspacePackage): string {
  const lines = [...listExportsOfPackage(workspacePackage)].flatMap(([specifier, names]) =>
    names.map(({ name, kind }) => `${specifier} ${kind} ${name}`),
  );
  return `${lines.toSorted().join('\n')}\n`;
}

/** Compares the public names of a package with the pinned ones, in both directions. */
export function findNameProblems(where: string, actual: string, pinned: string | undefined): readonly Problem[] {
  if (pinned === undefined) {
    return [{ where, what: 'its public names are not pinned', remedy: 'Run `pnpm pin-names`' }];
  }
  const [now, before] = [linesOf(actual), linesOf(pinned)];
  const gone = before.filter((line) => !now.includes(line));
  const added = now.filter((line) => !before.includes(line));
  return [
    ...gone.map((line) => ({
      where,
      what: `"${line}" is missing, so code that imports it breaks`,
      remedy: 'Restore it; if the removal is intended, write a changeset and run `pnpm pin-names`',
    })),
    ...added.map((line) => ({
      where,
      what: `"${line}" is new`,
      remedy: 'If it is meant to be public, run `pnpm pin-names`',
    })),
  ];
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
