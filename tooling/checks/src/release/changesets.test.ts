import { describe, expect, it } from 'vitest';

import { madeUpPackage } from '../made-up-package.ts';
import { assertNoProblems, describeProblems } from '../problem.ts';
import { readReleasedPackages } from '../workspace.ts';
import { findChangesetProblems, parseChangeset } from './changesets.ts';
import { readChangesets } from './read-changesets.ts';

const good = `---\n'@haft/core': minor\n---\n\nRuns tools. It never throws.\n`;

function problemsOf(sources: Readonly<Record<string, string>>, version = '0.0.0'): string {
  const changesets = Object.entries(sources).map(([name, source]) => parseChangeset(name, source));
  return describeProblems(findChangesetProblems([madeUpPackage({ manifest: { version } })], changesets));
}

describe('the changesets', () => {
  it('describe each unreleased package exactly once', () => {
    assertNoProblems(findChangesetProblems(readReleasedPackages(), readChangesets()));
  });

  it('are accepted if a package has one', () => {
    expect(problemsOf({ core: good })).toBe('');
  });

  it('are reported if a package has none, or a second one', () => {
    expect(problemsOf({})).toContain('.changeset/core.md: @haft/core has no changeset for its first release');
    expect(problemsOf({ core: good, 'other-words': good })).toContain('Move its text to .changeset/core.md');
  });

  it('are reported if they release another package, or are too short or too long', () => {
    expect(problemsOf({ core: good.replace('minor', 'patch') })).toContain("Write '@haft/core': minor");
    expect(problemsOf({ core: good, words: good.replace('core', 'cor') })).toContain('@haft/cor is not a package');
    expect(problemsOf({ core: good.replace(' It never throws.', '') })).toContain('it has 1 sentences');
    expect(problemsOf({ core: good.replace('Runs tools.', 'Runs tools. '.repeat(6)) })).toContain('it has 7 sentences');
    expect(() => parseChangeset('core', 'Runs tools.')).toThrow('front matter is missing');
  });

  it('may be many once the package is released', () => {
    expect(problemsOf({ core: good, 'other-words': good }, '0.1.0')).toBe('');
    expect(problemsOf({}, '0.1.0')).toBe('');
  });
});
