import { toLf } from '@haft/sandbox';
import { cutLine, splitLines } from '../text-lines.ts';

/** The part of a file that is most like a text that was not found in it. */
export interface ClosestRegion {
  /** Number of its first line, counted from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** How many of the lines looked for are there, blanks aside. */
  readonly alike: number;
  readonly looked: number;
  /** The lines with their numbers; `!` marks those that differ from what was looked for. */
  readonly text: string;
}

const mostShown = 40;
const longestShown = 200;

/**
 * Finds where most lines of a text stand in the right distance from each other; without a single equal line, where its
 * longest line is most alike. Undefined when nothing is. Linear in the file, but for the few lines compared by words.
 */
export function findClosestRegion(text: string, oldText: string): ClosestRegion | undefined {
  const lines = splitLines(text).map((line) => line.text);
  const looked = toLf(oldText).split('\n');
  while (looked.length > 1 && looked.at(-1)!.trim() === '') looked.pop();
  while (looked.length > 1 && looked[0]!.trim() === '') looked.shift();
  const first = findByEqualLines(lines, looked) ?? findByLikeLine(lines, looked);
  if (first === undefined) return undefined;
  const from = Math.max(0, first);
  const to = Math.min(lines.length, first + looked.length);
  if (to <= from) return undefined;
  const shown: string[] = [];
  let alike = 0;
  for (let index = from; index < to; index += 1) {
    const isAlike = squeeze(lines[index]!) === squeeze(looked[index - first]!);
    if (isAlike) alike += 1;
    if (shown.length < mostShown)
      shown.push(`${isAlike ? ' ' : '!'} ${index + 1}→${cutLine(lines[index]!, longestShown)}`);
  }
  if (to - from > mostShown) shown.push(`  [… ${to - from - mostShown} more lines …]`);
  return { firstLine: from + 1, lastLine: to, alike, looked: looked.length, text: shown.join('\n') };
}

function squeeze(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

const mostPlacesOfLine = 50;

function findByEqualLines(lines: readonly string[], looked: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of looked.entries()) {
    const key = squeeze(line);
    // Lone brackets stand everywhere and say nothing.
    if (key.length < 3) continue;
    const known = places.get(key);
    if (!known) places.set(key, [index]);
    else if (known.length < mostPlacesOfLine) known.push(index);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    for (const place of places.get(squeeze(line)) ?? []) votes.set(index - place, (votes.get(index - place) ?? 0) + 1);
  }
  let best: number | undefined;
  for (const [start, count] of votes) if (best === undefined || count > votes.get(best)!) best = start;
  return best;
}

const mostCompared = 20_000;

function findByLikeLine(lines: readonly string[], looked: readonly string[]): number | undefined {
  const longest = looked.reduce(
    (best, line, index) => (squeeze(line).length > squeeze(looked[best]!).length ? index : best),
    0,
  );
  const words = wordsOf(looked[longest]!);
  if (words.size === 0) return undefined;
  let best: number | undefined;
  let bestScore = 0.5;
  for (let index = 0; index < Math.min(lines.length, mostCompared); index += 1) {
    const other = wordsOf(lines[index]!);
    let shared = 0;
    for (const word of other) if (words.has(word)) shared += 1;
    const score = (2 * shared) / (words.size + other.size);
    if (score > bestScore) {
      best = index;
      bestScore = score;
    }
  }
  return best === undefined ? undefined : best - longest;
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(
    line
      .slice(0, 1_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? [],
  );
}
