import { toLf } from '@haft/sandbox';
import { cutLine, splitLines } from '../../files/text-lines.ts';
import { alignLines } from '../matching/align-lines.ts';

/** The part of a file that is most like a text that was not found in it. */
export interface ClosestRegion {
  /** Number of its first line, counted from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** How many of the lines looked for are there, blanks aside. */
  readonly alike: number;
  readonly looked: number;
  /** From the text looked for (`-`) to the lines of the file (`+`), as a hunk of a unified diff with the file's line numbers. */
  readonly diff: string;
}

const mostShown = 60;
const longestShown = 300;
/** Lines that the file has and the text lacks, or the other way round, move what follows by so much at most. */
const mostMoved = 20;

/**
 * Finds where most lines of a text stand in the right distance from each other; without a single equal line, where its
 * longest line is most alike. Undefined when nothing is. Linear in the file, but for the few lines compared by words.
 * Lines that differ in blanks alone count as alike, and are shown as the file has them.
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
  /** For each of its lines the line looked for that it is, or -1. */
  readonly pairs: Int32Array;
}

/** The lines that stand for the text: as many as it has, or those as far as lines alike reach, where that finds more of them. */
function takeRegion(lines: readonly string[], looked: readonly string[], first: number): Region {
  const wanted = looked.map(squeeze);
  const pair = (from: number, to: number): Region => {
    const own = lines.slice(from, to);
    return { from, lines: own, pairs: alignLines(wanted, own.map(squeeze)) };
  };
  const near = pair(Math.max(0, first), Math.min(lines.length, first + looked.length));
  const wide = pair(Math.max(0, first - mostMoved), Math.min(lines.length, first + looked.length + mostMoved));
  if (countPairs(wide.pairs) <= countPairs(near.pairs)) return near;
  const paired = [...wide.pairs.keys()].filter((at) => wide.pairs[at] !== -1);
  const [head, tail] = [paired[0]!, paired.at(-1)!];
  // What stands above the first line alike in the text stands above it in the file, as far as anybody knows.
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
    for (; next < until; next += 1) shown.push(`-${cutLine(looked[next]!, longestShown)}`);
  };
  for (const [index, line] of lines.entries()) {
    const pair = pairs[index]!;
    if (pair === -1) {
      // First what was looked for here, then what is here.
      missing(pairs.subarray(index).find((later) => later !== -1) ?? looked.length);
      shown.push(`+${cutLine(line, longestShown)}`);
      continue;
    }
    missing(pair);
    shown.push(` ${cutLine(line, longestShown)}`);
    next = pair + 1;
  }
  missing(looked.length);
  if (shown.length <= mostShown) return shown;
  return [...shown.slice(0, mostShown), `[… ${shown.length - mostShown} more lines …]`];
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
