import { findClassEnd } from './glob-tokens.ts';

const maxAlternatives = 256;

/** Expands braces into alternatives: `a{b,c}` becomes `ab` and `ac`. Returns a reason if the pattern is invalid. */
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
    if (expanded.length + inner.length * rests.length > maxAlternatives)
      return { reason: `its braces expand to more than ${maxAlternatives} patterns` };
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

/** Returns the index after a character, an escaped character or a character class. */
function skip(pattern: string, index: number): number {
  if (pattern[index] === '\\') return index + 2;
  const end = pattern[index] === '[' ? findClassEnd(pattern, index) : -1;
  return end === -1 ? index + 1 : end + 1;
}
