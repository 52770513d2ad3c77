import type { Random } from '../random.ts';
import { indentationOf, isBlank, type Block, type Scene } from './text-mutations.ts';
import { lineAt } from './line-at.ts';

/**
 * A part of one of the files and a change of it. Returns undefined if the random part cannot be distinguished from
 * others.
 */
export function pickScene(files: readonly (readonly string[])[], random: Random): Scene | undefined {
  const lines = random.pick(files);
  const block = pickBlock(lines, random);
  if (!block) return undefined;
  return { lines, block, ...change(block, random), random: () => random.next(), otherLines: random.pick(files) };
}

/** Three to ten lines that occur once, even ignoring white space, and whose first and last lines are not blank. */
function pickBlock(lines: readonly string[], random: Random): Block | undefined {
  const length = random.whole(3, 10);
  if (lines.length <= length) return undefined;
  const from = random.whole(0, lines.length - length - 1);
  const block = lines.slice(from, from + length);
  if (isBlank(lineAt(block, 0)) || isBlank(lineAt(block, -1))) return undefined;
  const filled = block.filter((line) => !isBlank(line));
  if (new Set(filled).size !== filled.length) return undefined;
  const squeeze = (some: readonly string[]): string => some.map((line) => line.replace(/\s+/g, '')).join('\n');
  const squeezed = squeeze(block);
  const all = squeeze(lines);
  return all.indexOf(squeezed) === all.lastIndexOf(squeezed) ? { lines: block, from, to: from + length } : undefined;
}

/** Appends to a line, adds one or replaces one, with text that a careless replacement would interpret as a pattern. */
function change({ lines }: Block, random: Random): { readonly changed: readonly string[]; readonly changedAt: number } {
  const at = random.pick([...lines.keys()].filter((index) => !isBlank(lineAt(lines, index))));
  const line = lineAt(lines, at);
  const kind = random.next();
  if (kind < 0.4) return { changed: lines.with(at, `${line} // edited $& $1`), changedAt: at };
  if (kind < 0.7) return { changed: lines.toSpliced(at + 1, 0, `${indentationOf(line)}inserted($$);`), changedAt: -1 };
  return { changed: lines.with(at, `${indentationOf(line)}replaced(now);`), changedAt: at };
}
