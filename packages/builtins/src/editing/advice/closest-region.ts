import { toLf } from '@haft/sandbox';
import { cutLine, splitLines } from '../../files/text-lines.ts';
import { alignLines } from '../matching/align-lines.ts';

/** The part of a file most similar to a text that was not found. */
export interface ClosestRegion {
  /** Number of its first line, counted from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Number of wanted lines in this region, ignoring whitespace. */
  readonly alike: number;
  readonly looked: number;
  /** A unified diff hunk from the wanted text (`-`) to the file (`+`), with the file's line numbers. */
  readonly diff: string;
}

const maxShown = 60;
const maxShownLength = 300;
/** Maximum distance that inserted or missing lines can move the lines after them. */
const maxMoved = 20;

/**
 * Finds the region of a file that is most similar to a text: the position at which most lines are equal or, without any
 * equal line, the closest match of the longest line. Returns undefined if nothing is similar. Lines that differ only in
 * whitespace count as equal and are shown as in the file. Takes linear time, except for a few lines that are compared
 * word by word.
 */
export function findClosestRegion(text: string, oldText: string): ClosestRegion | undefined {
  const lines = splitLines(text).map((line) => line.text);
  const looked = toLf(oldText).split('\n');
  while (looked.length > 1 && looked.at(-1)!.trim() === '') looked.pop();
  while (looked.length > 1 && looked[0]!.trim() === '') looked.shift();
  const first = findByEqualLines(lines, looked) ?? findByLikeLine(lines, looked);
  if (first === undefined) return undefined;
  const region = takeRegion(lines, looked, first);
  if (region.lines.length === 0) return undefined;
  const alike = countPairs(region.pairs);
  const { lines: shown, from } = region;
  const head = `@@ -1,${looked.length} +${from + 1},${shown.length} @@`;
  return {
    firstLine: from + 1,
    lastLine: from + shown.length,
    alike,
    looked: looked.length,
    diff: [head, ...describeDifference(looked, shown, region.pairs)].join('\n'),
  };
}

interface Region {
  readonly from: number;
  readonly lines: readonly string[];
  /** Returns, for each line, the index of the equal wanted line, or -1. */
  readonly pairs: Int32Array;
}

/**
 * Returns the region that matches the text: as many lines as the text has, or the range of the equal lines if it
 * contains more of them.
 */
function takeRegion(lines: readonly string[], looked: readonly string[], first: number): Region {
  const wanted = looked.map(squeeze);
  const pair = (from: number, to: number): Region => {
    const own = lines.slice(from, to);
    return { from, lines: own, pairs: alignLines(wanted, own.map(squeeze)) };
  };
  const near = pair(Math.max(0, first), Math.min(lines.length, first + looked.length));
  const wide = pair(Math.max(0, first - maxMoved), Math.min(lines.length, first + looked.length + maxMoved));
  if (countPairs(wide.pairs) <= countPairs(near.pairs)) return near;
  const paired = [...wide.pairs.keys()].filter((at) => wide.pairs[at] !== -1);
  const [head, tail] = [paired[0]!, paired.at(-1)!];
  // Assumes that the lines above the first equal line are above it in the file too.
  const from = Math.max(0, head - wide.pairs[head]!);
  const to = Math.min(wide.lines.length, tail + looked.length - wide.pairs[tail]!);
  return { from: wide.from + from, lines: wide.lines.slice(from, to), pairs: wide.pairs.slice(from, to) };
}

function countPairs(pairs: Int32Array): number {
  return pairs.reduce((sum, pair) => (pair === -1 ? sum : sum + 1), 0);
}

function describeDifference(looked: readonly string[], lines: readonly string[], pairs: Int32Array): string[] {
  const shown: string[] = [];
  let next = 0;
  const missing = (until: number): void => {
    for (; next < until; next += 1) shown.push(`-${cutLine(looked[next]!, maxShownLength)}`);
  };
  for (const [index, line] of lines.entries()) {
    const pair = pairs[index]!;
    if (pair === -1) {
      // The wanted lines, followed by those of the file.
      missing(pairs.subarray(index).find((later) => later !== -1) ?? looked.length);
      shown.push(`+${cutLine(line, maxShownLength)}`);
      continue;
    }
    missing(pair);
    shown.push(` ${cutLine(line, maxShownLength)}`);
    next = pair + 1;
  }
  missing(looked.length);
  if (shown.length <= maxShown) return shown;
  return [...shown.slice(0, maxShown), `[… ${shown.length - maxShown} more lines …]`];
}

function squeeze(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

const maxPlacesOfLine = 50;

function findByEqualLines(lines: readonly string[], looked: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of looked.entries()) {
    const key = squeeze(line);
    // Lines that contain only brackets occur everywhere, so they identify nothing.
    if (key.length < 3) continue;
    const known = places.get(key);
    if (!known) places.set(key, [index]);
    else if (known.length < maxPlacesOfLine) known.push(index);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    for (const place of places.get(squeeze(line)) ?? []) votes.set(index - place, (votes.get(index - place) ?? 0) + 1);
  }
  let best: number | undefined;
  for (const [start, count] of votes) if (best === undefined || count > votes.get(best)!) best = start;
  return best;
}

const maxCompared = 20_000;

function findByLikeLine(lines: readonly string[], looked: readonly string[]): number | undefined {
  const longest = looked.reduce(
    (best, line, index) => (squeeze(line).length > squeeze(looked[best]!).length ? index : best),
    0,
  );
  const words = wordsOf(looked[longest]!);
  if (words.size === 0) return undefined;
  let best: number | undefined;
  let bestScore = 0.5;
  for (let index = 0; index < Math.min(lines.length, maxCompared); index += 1) {
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
