import { checkOptions, checkText, booleanKind } from '../check-given.ts';
import { expandBraces } from './glob-braces.ts';
import { readGlob, type GlobName, type GlobToken } from './glob-tokens.ts';
import { compileAlternatives, type CompiledAlternative, type NameMatcher } from './match-path.ts';
import { createFailure, type SandboxFailure } from '../sandbox-failure.ts';

/** A compiled path pattern. */
export interface Glob {
  readonly ok: true;
  /** Returns true if the whole `/`-separated path matches. */
  matches(path: string): boolean;
}

/** A path pattern for comparison with many directory entries; most entries fail on their name. */
export interface EntryGlob extends Glob {
  /** Equivalent to `matches(prefix + name)` for a name without a slash, but faster. */
  matchesEntry(prefix: string, name: string): boolean;
}

/** Options of {@link compileGlob}. */
export interface GlobOptions {
  /** Whether `{a,b}` matches either alternative. If false, braces are literal. Default true. */
  readonly braces?: boolean;
}

const maxGlobLength = 4_000;
// Maximum total length of all alternatives, with which the worst path takes milliseconds.
const maxExpandedCharacters = 20_000;

/**
 * Compiles a path pattern. `*` and `?` match inside a path segment, `**` matches any number of segments (including
 * none); `[a-z]`, `[!a]`, `[[:digit:]]`, `{a,b}` and backslash escapes work as in a shell. All other characters are
 * literal, including brackets and bars of regular expressions. Leading dots need no special pattern.
 *
 * Matching backtracks at most to the last star, so it takes time proportional to pattern length times path length for
 * any input. Invalid patterns (empty, unbalanced, ending in a backslash, longer than 4,000 characters or with more than
 * 256 alternatives) return `INVALID_PATTERN`.
 *
 * @throws TypeError if an argument has the wrong type.
 * @example
 * import { compileGlob } from '@haft/sandbox';
 * const glob = compileGlob('src/*.{ts,tsx}');
 * 'matches' in glob && glob.matches('src/page.tsx'); // => true
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): Glob | SandboxFailure {
  const glob = compileEntryGlob(pattern, options);
  return glob.ok ? { ok: true, matches: (path) => glob.matches(path) } : glob;
}

/**
 * Like {@link compileGlob}, for patterns that are compared with many entries.
 *
 * @throws TypeError if an argument has the wrong type.
 */
export function compileEntryGlob(pattern: string, options: GlobOptions = {}): EntryGlob | SandboxFailure {
  checkText('pattern', pattern, '**/*.ts');
  checkOptions(options, '{ braces: false }', { braces: booleanKind });
  if (pattern === '') return invalid(pattern, 'it is empty');
  if (pattern.length > maxGlobLength) return invalid(pattern, `it has more than ${maxGlobLength} characters`);
  const alternatives = options.braces === false ? [pattern] : expandBraces(pattern);
  if ('reason' in alternatives) return invalid(pattern, alternatives.reason);
  if (alternatives.reduce((sum, { length }) => sum + length, 0) > maxExpandedCharacters)
    return invalid(pattern, 'its braces expand to too many characters');
  const compiled: CompiledAlternative[] = [];
  for (const alternative of alternatives) {
    const read = readGlob(alternative);
    if ('reason' in read) return invalid(pattern, read.reason);
    const names = read.names.map((name) => (name === '**' ? name : compileName(name)));
    const start = textOf(read.names[0]!) ?? '';
    compiled.push({ names, lastStars: names.lastIndexOf('**'), needed: findLiteralName(read.names), start });
  }
  const mayEnd = (name: string): boolean =>
    compiled.some(({ names }) => {
      const end = names.at(-1)!;
      return end === '**' || end(name);
    });
  const matches = compileAlternatives(compiled);
  return { ok: true, matches, matchesEntry: (prefix, name) => mayEnd(name) && matches(prefix + name) };
}

/**
 * Compiles a pattern for text that is not a path: `*`, `?` and character classes, with the slash as an ordinary
 * character. Linear like {@link compileGlob}. Returns `INVALID_PATTERN` for an unclosed bracket or a trailing
 * backslash.
 *
 * @example
 * import { compileWildcard } from '@haft/sandbox';
 * const wildcard = compileWildcard('git *');
 * 'matches' in wildcard && wildcard.matches('git push origin/main'); // => true
 */
export function compileWildcard(pattern: string): Glob | SandboxFailure {
  checkText('pattern', pattern, 'v*.txt');
  const read = readGlob(pattern);
  if ('reason' in read) return invalid(pattern, read.reason);
  const tokens = read.names.flatMap((name, index): readonly GlobToken[] => [
    ...(index === 0 ? [] : [slash]),
    ...(name === '**' ? [star] : name),
  ]);
  return { ok: true, matches: (text) => matchTokens(tokens, text) };
}

const slash: GlobToken = { kind: 'text', text: '/' };
const star: GlobToken = { kind: 'star' };

function invalid(pattern: string, reason: string): SandboxFailure {
  const shown = pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern;
  return createFailure('INVALID_PATTERN', `pattern: ${JSON.stringify(shown)} is invalid: ${reason}`);
}

/** Returns the last segment that is a literal. */
function findLiteralName(names: readonly GlobName[]): string | undefined {
  const last = names.findLast((name) => textOf(name) !== undefined);
  return last && textOf(last);
}

/** Returns the text of a segment that is a literal. */
function textOf(name: GlobName): string | undefined {
  const [only] = name;
  return name.length === 1 && typeof only === 'object' && only.kind === 'text' ? only.text : undefined;
}

/** Compiles a segment, with fast paths for the most frequent forms: a literal, or a star before or after one. */
function compileName(tokens: readonly GlobToken[]): NameMatcher {
  const [first, second] = tokens;
  if (tokens.length === 1 && first?.kind === 'text') return (name) => name === first.text;
  if (tokens.length === 2 && first?.kind === 'star' && second?.kind === 'text')
    return (name) => name.endsWith(second.text);
  if (tokens.length === 2 && first?.kind === 'text' && second?.kind === 'star')
    return (name) => name.startsWith(first.text);
  if (tokens.length === 1 && first?.kind === 'star') return () => true;
  const texts = tokens.flatMap((token) => (token.kind === 'text' ? [token.text] : []));
  const needed = texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
  return (name) => name.includes(needed) && matchTokens(tokens, name);
}

function matchTokens(tokens: readonly GlobToken[], text: string): boolean {
  let at = 0;
  let next = 0;
  let back = -1;
  let taken = 0;
  for (;;) {
    const token = tokens[at];
    if (token?.kind === 'star') {
      back = at;
      taken = next;
      at += 1;
      continue;
    }
    if (token === undefined && next === text.length) return true;
    const end = token === undefined ? -1 : matchToken(token, text, next);
    if (end !== -1) {
      at += 1;
      next = end;
    } else if (back !== -1 && taken < text.length) {
      at = back + 1;
      taken += widthAt(text, taken);
      next = taken;
    } else return false;
  }
}

/** Returns the index after the text that a token matches, or -1. */
function matchToken(token: Exclude<GlobToken, { readonly kind: 'star' }>, text: string, from: number): number {
  if (token.kind === 'text') return text.startsWith(token.text, from) ? from + token.text.length : -1;
  if (from >= text.length) return -1;
  const end = from + widthAt(text, from);
  return token.kind !== 'class' || token.has(text.slice(from, end)) ? end : -1;
}

function widthAt(text: string, index: number): number {
  return text.codePointAt(index)! > 0xffff ? 2 : 1;
}
