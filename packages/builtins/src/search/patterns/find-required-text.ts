import type { PatternTree } from '@haft/schema/patterns';
import { readPattern } from './read-pattern.ts';

const shortest = 3;

/**
 * Returns the longest literal text that every match must contain. A file without this text need not be searched.
 * Returns undefined if no such text is certain. The text is ASCII, because its bytes are the same in all encodings
 * except UTF-16.
 */
export function findRequiredText(source: string, flags: string): string | undefined {
  const tree = flags.includes('i') ? undefined : readPattern(source, flags)?.tree;
  if (tree?.kind !== 'sequence') return undefined;
  let longest = '';
  let run = '';
  for (const part of tree.parts) {
    const isRepeated = part.kind === 'repeat';
    run += literalOf(isRepeated && part.least > 0 && part.most === Infinity ? part.part : part) ?? '';
    if (run.length > longest.length) longest = run;
    if (isRepeated || literalOf(part) === undefined) run = '';
  }
  return longest.length >= shortest ? longest : undefined;
}

/** Returns the character that a part of a pattern matches literally. */
function literalOf(part: PatternTree): string | undefined {
  if (part.kind !== 'set' || part.source === '.') return undefined;
  return /^(?:\\(?=[^A-Za-z0-9]))?([\x20-\x7E])$/.exec(part.source)?.[1];
}
