import { createRandom } from '../random.ts';
import { encodeCase, storedMistakes, storedSlips, type ByteMutation } from './byte-mutations.ts';
import { doubleSlips } from './double-slips.ts';
import type { EditCase } from './edit-case.ts';
import { pickScene } from './scenes.ts';
import { readSources } from './sources.ts';
import { mistakes, slips, type Mutation } from './text-mutations.ts';

const asBytes =
  (mutation: Mutation): ByteMutation =>
  (scene) => {
    const made = mutation(scene);
    return made && encodeCase(made);
  };

const mutations: ReadonlyMap<string, ByteMutation> = new Map([
  ...Object.entries(slips).map(([name, mutation]) => [name, asBytes(mutation)] as const),
  ...Object.entries(storedSlips),
  ...Object.entries(doubleSlips),
  ...Object.entries(mistakes).map(([name, mutation]) => [name, asBytes(mutation)] as const),
  ...Object.entries(storedMistakes),
]);

/**
 * Names of all categories. `P`: must be applied; `N`: must be refused; `G`: a slip of one letter, which must be
 * refused.
 */
export const editCategories: readonly string[] = [...mutations.keys()].toSorted();

/** Whether the files of a category have 10 MB. Such a category has fewer cases. */
export function isLarge(category: string): boolean {
  return category.includes('10 MB');
}

/** Creates `count` cases of one category. The same seeds create the same cases. */
export function makeCases(row: string, category: string, count: number): readonly EditCase[] {
  const random = createRandom(`${row}/${category}`);
  const sources = sourcesOf(row);
  const mutate = mutations.get(category);
  if (mutate === undefined) throw new Error(`unknown category ${category}`);
  const cases: EditCase[] = [];
  for (let attempt = 0; cases.length < count && attempt < count * 400; attempt += 1) {
    const scene = pickScene(sources, random);
    const made = scene && mutate(scene, random);
    if (!made || made.edits.length === 0 || made.edits.some(({ oldText, newText }) => oldText === newText)) continue;
    if (category.startsWith('N09') && made.edits.length < 2) continue;
    cases.push({ category, ...made });
  }
  return cases;
}

const known = new Map<string, ReturnType<typeof readSources>>();

function sourcesOf(row: string): ReturnType<typeof readSources> {
  const sources = known.get(row) ?? readSources(createRandom(`${row}/sources`));
  known.set(row, sources);
  return sources;
}
