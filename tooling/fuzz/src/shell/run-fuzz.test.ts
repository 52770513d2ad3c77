import { describe, expect, it } from 'vitest';

import { generateLine } from './generate-line.ts';
import { findUnjudged, patternOf } from './judge-line.ts';
import { minimiseLine } from './minimise-line.ts';
import { missingJail, runInBash } from './run-in-bash.ts';
import { runShellFuzz } from './run-fuzz.ts';

const missing = missingJail();
const hasJail = missing === undefined;
const isLong = process.env['HAFT_TEST_LONG'] === '1';

describe('generated command lines', () => {
  it('are identical for the same seed', () => {
    const lines = Array.from({ length: 200 }, (_, seed) => generateLine(seed));
    expect(Array.from({ length: 200 }, (_, seed) => generateLine(seed))).toEqual(lines);
    expect(new Set(lines).size).toBeGreaterThan(190);
  });
});

describe('a pattern for the words of a program', () => {
  it("keeps plain words, and leaves a wildcard for words that a rule's pattern cannot express", () => {
    expect(patternOf(['m1', 'a b', '', '-x7', '$(m2)'])).toBe('m1 a*b * -x* *m*');
  });
});

describe.skipIf(!hasJail)(`the programs that Bash runs (${missing ?? 'in a jail'})`, () => {
  it('are reported with all words', async () => {
    const lines = ["m1 'a b' '' $(m2)", 'exec s1 x', 'if', 'm3 & (m4 | m5); trap m6 EXIT'];
    // They end by themselves, on a busy machine later than generated lines may.
    const ran = await runInBash(lines, 20);
    expect(ran.map((programs) => programs.map((words) => words.join('|')).toSorted())).toEqual([
      ['m1|a b|', 'm2'],
      ['s1|x'],
      [],
      ['m3', 'm4', 'm5', 'm6'],
    ]);
  });

  it('count as unjudged if the engine allows the line without listing them', async () => {
    expect(await findUnjudged('m1 a', [['m1', 'a']])).toBeUndefined();
    expect(await findUnjudged('m1 a', [['m2', 'a']])).toEqual(['m2', 'a']);
    // The user is asked about this line, so it does not count.
    expect(await findUnjudged('m1 $(m3)', [['m2', 'a']])).toBeUndefined();
  });

  it('leave a line without a failure unchanged when it is minimised', async () => {
    expect(await minimiseLine('m1 a')).toBe('m1 a');
  });

  it('were judged, in every generated line', async () => {
    const [seed, count] = isLong ? [1, 20_000] : [201, 200];
    const { running, allowed, failures } = await runShellFuzz({ seed, count, maxFailures: 5 });
    expect(failures.map(({ minimised, unjudged }) => ({ minimised, unjudged }))).toEqual([]);
    // Lines that run no program, or cause a question, prove nothing.
    expect(running).toBeGreaterThan(count / 2);
    expect(allowed).toBeGreaterThan(count / 5);
  }, 1_800_000);
});
