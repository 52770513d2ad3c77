import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { editCategories, makeEditCases } from '../fixtures/edit-cases.ts';
import { applySpans, locateEdit } from './locate-edit.ts';

const isLong = process.env['HAFT_TEST_LONG'] === '1';
const casesPerCategory = isLong ? 600 : 60;

/** This package's own sources, as they are, with tabs, and with four spaces. */
const sources = readSources(new URL('..', import.meta.url)).flatMap((lines) => [
  lines,
  lines.map((line) => line.replace(/^(?: {2})+/, (blanks) => '\t'.repeat(blanks.length / 2))),
  lines.map((line) => line.replace(/^(?: {2})+/, (blanks) => blanks.repeat(2))),
]);

function readSources(folder: URL): readonly (readonly string[])[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8').trimEnd().split('\n'))
    .filter((lines) => lines.length >= 40);
}

describe('the edit cascade on slips that models make', () => {
  it.each(editCategories)('%s', (category) => {
    const cases = makeEditCases(category, sources, casesPerCategory, 20_261_121 + editCategories.indexOf(category));
    expect(cases.length).toBeGreaterThanOrEqual(casesPerCategory * 0.5);
    const outcomes = { right: 0, refused: 0, wrong: 0 };
    const wrong: string[] = [];
    for (const { file, oldText, newText, expected } of cases) {
      const located = locateEdit(file, { oldText, newText }, false);
      const after = located.ok ? applySpans(file, located.spans) : null;
      if (after === expected) outcomes.right += 1;
      else if (after === null) outcomes.refused += 1;
      else {
        outcomes.wrong += 1;
        if (wrong.length < 2)
          wrong.push(
            `${JSON.stringify({ oldText, newText }).slice(0, 1_000)} ${located.ok ? `${located.match}, ${located.needle}` : ''}`,
          );
      }
    }
    // What must be refused is always refused; the rest is right nearly always and wrong hardly ever.
    if (!category.startsWith('P')) expect(wrong).toEqual([]);
    expect({ category, ...outcomes, share: outcomes.right / cases.length }).toMatchObject({
      share: expect.toSatisfy((share: number) => share >= 0.95),
    });
    expect(outcomes.wrong / cases.length).toBeLessThanOrEqual(0.005);
  });
});
