/**
 * The range in which two texts differ, with up to three equal lines on either side. It starts and ends at line starts.
 */
export interface ChangedRange {
  /** Number of lines above the range, in both texts. */
  readonly linesAbove: number;
  readonly leading: string;
  readonly before: string;
  readonly after: string;
  readonly trailing: string;
}

/** Finds the range between the common start and end of two texts, in one pass. Returns undefined if they are equal. */
export function findChangedRange(before: string, after: string, contextLines: number): ChangedRange | undefined {
  if (before === after) return undefined;
  const equal = countEqualHead(before, after);
  const start = equal === 0 ? 0 : before.lastIndexOf('\n', equal - 1) + 1;
  const tail = findEqualTail(before, after, start);
  const contextStart = stepBack(before, start, contextLines);
  const contextEnd = stepForward(before, before.length - tail, contextLines);
  return {
    linesAbove: countBreaksBefore(before, contextStart),
    leading: before.slice(contextStart, start),
    before: before.slice(start, before.length - tail),
    after: after.slice(start, after.length - tail),
    trailing: before.slice(before.length - tail, contextEnd),
  };
}

/** Numbers of characters compared at once, which is many times faster than one by one. */
const blocks = [16_384, 1_024, 64];

/** Returns the block that ends `fromEnd` characters before the end. */
function endOf(text: string, fromEnd: number, block: number): string {
  return text.slice(text.length - fromEnd - block, text.length - fromEnd);
}

function countEqualHead(before: string, after: string): number {
  const limit = Math.min(before.length, after.length);
  let index = 0;
  for (const block of blocks)
    while (index + block <= limit && before.slice(index, index + block) === after.slice(index, index + block))
      index += block;
  while (index < limit && before.charCodeAt(index) === after.charCodeAt(index)) index += 1;
  return index;
}

/** Returns the length of the common whole lines at the end, not before `start`. */
function findEqualTail(before: string, after: string, start: number): number {
  const limit = Math.min(before.length, after.length) - start;
  let equal = 0;
  for (const block of blocks)
    while (equal + block <= limit && endOf(before, equal, block) === endOf(after, equal, block)) equal += block;
  while (equal < limit && before.charCodeAt(before.length - 1 - equal) === after.charCodeAt(after.length - 1 - equal))
    equal += 1;
  const tail = before.length - equal;
  if (opensLine(before, tail) && opensLine(after, after.length - equal)) return equal;
  const lineStart = before.indexOf('\n', tail) + 1;
  return lineStart === 0 ? 0 : before.length - lineStart;
}

function opensLine(text: string, index: number): boolean {
  return index === 0 || text[index - 1] === '\n';
}

function stepBack(text: string, from: number, lines: number): number {
  let index = from;
  for (let line = 0; line < lines && index > 0; line += 1)
    index = index === 1 ? 0 : text.lastIndexOf('\n', index - 2) + 1;
  return index;
}

function stepForward(text: string, from: number, lines: number): number {
  let index = from;
  for (let line = 0; line < lines && index < text.length; line += 1)
    index = text.indexOf('\n', index) + 1 || text.length;
  return index;
}

function countBreaksBefore(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
