import { posix } from 'node:path';

import type { Problem } from '../problem.ts';
import type { WorkspacePackage } from '../workspace.ts';

/** A changeset: the packages that it releases, and its text for their users. */
export interface Changeset {
  /** The name of its file in `.changeset`, without `.md`. */
  readonly name: string;
  readonly releases: ReadonlyMap<string, string>;
  readonly text: string;
}

/** Parses a changeset. Throws if it has no front matter. */
export function parseChangeset(name: string, source: string): Changeset {
  const [, head, text = ''] = /^---\n([^]*?)^---\n([^]*)$/m.exec(source) ?? [];
  if (head === undefined) throw new Error(`.changeset/${name}.md: front matter is missing`);
  const releases = [...head.matchAll(/^['"]?([^'":]+)['"]?: *(\w+)$/gm)].map(
    (match) => [match[1] ?? '', match[2] ?? ''] as const,
  );
  return { name, releases: new Map(releases), text: text.trim() };
}

/** The version of an unreleased package. */
export const unreleased = '0.0.0';

/**
 * Finds changesets that would not make a readable first release. Until a package is released, exactly one changeset
 * describes it. Afterwards any number may describe changes.
 */
export function findChangesetProblems(
  packages: readonly WorkspacePackage[],
  changesets: readonly Changeset[],
): readonly Problem[] {
  const known = new Set(packages.map(({ manifest }) => manifest.name));
  const problems = changesets.flatMap(({ name, releases }) =>
    [...releases.keys()]
      .filter((released) => !known.has(released))
      .map((released) => ({
        where: `.changeset/${name}.md`,
        what: `${released} is not a package of this repository`,
        remedy: 'Name one that is published',
      })),
  );
  for (const { folder, manifest } of packages.filter((one) => one.manifest.version === unreleased)) {
    const file = `.changeset/${posix.basename(folder)}.md`;
    const naming = changesets.filter(({ releases }) => releases.has(manifest.name));
    for (const { name } of naming.filter((one) => `.changeset/${one.name}.md` !== file)) {
      problems.push({
        where: `.changeset/${name}.md`,
        what: `${manifest.name} is not released yet, and has a second changeset`,
        remedy: `Move its text to ${file}, and delete this one`,
      });
    }
    const own = naming.find((one) => `.changeset/${one.name}.md` === file);
    problems.push(
      ...(own === undefined ? [missing(file, manifest.name)] : firstReleaseProblems(file, own, manifest.name)),
    );
  }
  return problems;
}

function missing(where: string, name: string): Problem {
  return {
    where,
    what: `${name} has no changeset for its first release`,
    remedy: 'Describe what the package is and does',
  };
}

function firstReleaseProblems(where: string, { releases, text }: Changeset, name: string): readonly Problem[] {
  const problems: Problem[] = [];
  if (releases.get(name) !== 'minor' || releases.size !== 1) {
    problems.push({ where, what: 'it does not release only its package, as minor', remedy: `Write '${name}': minor` });
  }
  const sentences = text.split(/[.!?](?=\s|$)/).filter((sentence) => sentence.trim() !== '').length;
  if (sentences < 2 || sentences > 5) {
    problems.push({
      where,
      what: `it has ${sentences} sentences`,
      remedy: 'Describe in 2 to 5 sentences what the package is and does',
    });
  }
  return problems;
}
