import { findClassEnd } from './glob-tokens.ts';

const mostAlternatives = 256;

/** The patterns that a pattern with braces stands for, or why it can't be read. `a{b,c}` stands for `ab` and `ac`. */
export function expandBraces(pattern: string): readonly string[] | { readonly reason: string } {
  const open = findOpen(pattern);
  if (open === -1) return [pattern];
  const group = splitBraces(pattern, open);
  if (!group) return { reason: 'a brace is not closed' };
  const rests = expandBraces(pattern.slice(group.end + 1));
  if ('reason' in rests) return rests;
  const head = pattern.slice(0, open);
  const expanded: string[] = [];
  for (const part of group.parts) {
    const inner = expandBraces(part);
    if ('reason' in inner) return inner;
    if (expanded.length + inner.length * rests.length > mostAlternatives)
      return { reason: `its braces stand for more than ${mostAlternatives} patterns` };
    for (const alternative of inner) for (const rest of rests) expanded.push(head + alternative + rest);
  }
  return expanded;
}

function findOpen(pattern: string): number {
  for (let index = 0; index < pattern.length; index = skip(pattern, index)) if (pattern[index] === '{') return index;
  return -1;
}

function splitBraces(
  pattern: string,
  open: number,
): { readonly parts: readonly string[]; readonly end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let index = open; index < pattern.length; index = skip(pattern, index)) {
    const character = pattern[index];
    if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return { parts: [...parts, pattern.slice(from, index)], end: index };
    } else if (character === ',' && depth === 1) {
      parts.push(pattern.slice(from, index));
      from = index + 1;
    }
  }
  return undefined;
}

/** The index after a character, with what it takes along: an escaped one, or a whole class. */
function skip(pattern: string, index: number): number {
  if (pattern[index] === '\\') return index + 2;
  const end = pattern[index] === '[' ? findClassEnd(pattern, index) : -1;
  return end === -1 ? index + 1 : end + 1;
}
