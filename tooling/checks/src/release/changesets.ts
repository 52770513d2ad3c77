import type { Problem } from '../problem.ts';
import type { WorkspacePackage } from '../workspace.ts';

/** A changeset: what it releases, and what it says to the people who use the package. */
export interface Changeset {
  /** The name of its file in `.changeset`, without `.md`. */
  readonly name: string;
  readonly releases: ReadonlyMap<string, string>;
  readonly text: string;
}

/** Reads the text of a changeset. Throws when it has no front matter. */
export function parseChangeset(name: string, source: string): Changeset {
  const [, head, text = ''] = /^---\n([^]*?)^---\n([^]*)$/m.exec(source) ?? [];
  if (head === undefined) throw new Error(`.changeset/${name}.md: front matter is missing`);
  const releases = [...head.matchAll(/^['"]?([^'":]+)['"]?: *(\w+)$/gm)].map(
    (match) => [match[1] ?? '', match[2] ?? ''] as const,
  );
  return { name, releases: new Map(releases), text: text.trim() };
}

/** The version of a package that was never released. */
export const unreleased = '0.0.0';

/**
 * Finds changesets that would not make a readable first release: until a package is released, exactly one changeset says
 * what it is and does. Afterwards any number may say what changed.
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
        remedy: 'Name one that is published from packages/',
      })),
  );
  for (const { folder, manifest } of packages.filter((one) => one.manifest.version === unreleased)) {
    const file = `.changeset/${folder.replace('packages/', '')}.md`;
    const naming = changesets.filter(({ releases }) => releases.has(manifest.name));
    for (const { name } of naming.filter((one) => `.changeset/${one.name}.md` !== file)) {
      problems.push({
        where: `.changeset/${name}.md`,
        what: `${manifest.name} was never released, and has a changeset of its own`,
        remedy: `Say what its users have to know in ${file}, and delete this one`,
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
  return { where, what: `${name} has no changeset for its first release`, remedy: 'Say what the package is and does' };
}

function firstReleaseProblems(where: string, { releases, text }: Changeset, name: string): readonly Problem[] {
  const problems: Problem[] = [];
  if (releases.get(name) !== 'minor' || releases.size !== 1) {
    problems.push({ where, what: 'it does not release its package alone as minor', remedy: `Write '${name}': minor` });
  }
  const sentences = text.split(/[.!?](?=\s|$)/).filter((sentence) => sentence.trim() !== '').length;
  if (sentences < 2 || sentences > 5) {
    problems.push({
      where,
      what: `it has ${sentences} sentences`,
      remedy: 'Say in 2 to 5 what the package is and does',
    });
  }
  return problems;
}
