/** Says whether a `/`-separated path matches. */
export type PathMatcher = (path: string) => boolean;

type Token =
  | { readonly kind: 'character'; readonly value: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | { readonly kind: 'class'; readonly has: (character: string) => boolean };

const mostAlternatives = 256;

/**
 * Compiles a path pattern that must match from the first character to the last: `*` and `?` inside a name, `**` over
 * any number of names, `[a-z]`, `[!a]`, `{a,b}`, and a backslash before a character meant literally.
 *
 * A pattern for everything below a folder (`src/**`) matches the folder too. Matching takes time proportional to pattern
 * times path, whatever either is.
 *
 * @throws TypeError for a pattern that is empty, unbalanced, or has more than 256 alternatives.
 */
export function compileGlob(pattern: string): PathMatcher {
  if (pattern === '') throw new TypeError('a path pattern must not be empty');
  const alternatives = expandBraces(pattern).map((alternative) => alternative.split('/').map(compileName));
  return (path) => {
    const names = path.split('/');
    return alternatives.some((alternative) => matchNames(alternative, names));
  };
}

/** Says whether a text matches a pattern of `*` and `?` as a whole; slashes are like any other character. */
export function compileWildcard(pattern: string): (text: string) => boolean {
  const tokens = tokenize(pattern);
  return (text) => matchTokens(tokens, text);
}

type NamePattern = '**' | readonly Token[];

function compileName(name: string): NamePattern {
  return name === '**' ? '**' : tokenize(name);
}

/** Greedy with one place to come back to: an earlier `**` never needs to be reconsidered. */
function matchNames(pattern: readonly NamePattern[], names: readonly string[]): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let taken = 0;
  while (next < names.length) {
    const part = pattern[at];
    if (part === '**') {
      star = at;
      taken = next;
      at += 1;
    } else if (part !== undefined && matchTokens(part, names[next]!)) {
      at += 1;
      next += 1;
    } else if (star !== -1) {
      at = star + 1;
      taken += 1;
      next = taken;
    } else return false;
  }
  while (pattern[at] === '**') at += 1;
  return at === pattern.length;
}

function matchTokens(tokens: readonly Token[], text: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let taken = 0;
  while (next < text.length) {
    const token = tokens[at];
    if (token?.kind === 'star') {
      star = at;
      taken = next;
      at += 1;
    } else if (token !== undefined && matchesCharacter(token, text[next]!)) {
      at += 1;
      next += 1;
    } else if (star !== -1) {
      at = star + 1;
      taken += 1;
      next = taken;
    } else return false;
  }
  while (tokens[at]?.kind === 'star') at += 1;
  return at === tokens.length;
}

function matchesCharacter(token: Token, character: string): boolean {
  if (token.kind === 'character') return token.value === character;
  return token.kind === 'any' || (token.kind === 'class' && token.has(character));
}

function tokenize(name: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let index = 0; index < name.length; index += 1) {
    const character = name[index]!;
    if (character === '\\' && index + 1 < name.length) {
      index += 1;
      tokens.push({ kind: 'character', value: name[index]! });
    } else if (character === '*') tokens.push({ kind: 'star' });
    else if (character === '?') tokens.push({ kind: 'any' });
    else if (character === '[') {
      const end = name.indexOf(']', index + 2);
      if (end === -1) throw new TypeError(`the class in the pattern ${JSON.stringify(name)} is not closed`);
      tokens.push({ kind: 'class', has: compileClass(name.slice(index + 1, end)) });
      index = end;
    } else tokens.push({ kind: 'character', value: character });
  }
  return tokens;
}

function compileClass(body: string): (character: string) => boolean {
  const isNegated = body.startsWith('!') || body.startsWith('^');
  const set = isNegated ? body.slice(1) : body;
  const ranges: (readonly [string, string])[] = [];
  for (let index = 0; index < set.length; index += 1) {
    const isRange = set[index + 1] === '-' && index + 2 < set.length;
    ranges.push([set[index]!, isRange ? set[index + 2]! : set[index]!]);
    if (isRange) index += 2;
  }
  return (character) => ranges.some(([from, to]) => character >= from && character <= to) !== isNegated;
}

function expandBraces(pattern: string): readonly string[] {
  const open = findOpen(pattern);
  if (open === -1) return [pattern];
  const { parts, end } = splitBraces(pattern, open);
  const rests = expandBraces(pattern.slice(end + 1));
  const expanded = parts
    .flatMap((part) => expandBraces(part))
    .flatMap((part) => rests.map((rest) => pattern.slice(0, open) + part + rest));
  if (expanded.length > mostAlternatives)
    throw new TypeError(`the pattern ${JSON.stringify(pattern)} has too many alternatives`);
  return expanded;
}

function findOpen(pattern: string): number {
  for (let index = 0; index < pattern.length; index += 1) {
    if (pattern[index] === '\\') index += 1;
    else if (pattern[index] === '{') return index;
  }
  return -1;
}

function splitBraces(pattern: string, open: number): { readonly parts: readonly string[]; readonly end: number } {
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let index = open; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === '\\') index += 1;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return { parts: [...parts, pattern.slice(from, index)], end: index };
    } else if (character === ',' && depth === 1) {
      parts.push(pattern.slice(from, index));
      from = index + 1;
    }
  }
  throw new TypeError(`a brace in the pattern ${JSON.stringify(pattern)} is not closed`);
}
