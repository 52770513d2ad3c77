import { checkOptions, checkText, trueOrFalse } from '../check-given.ts';
import { expandBraces } from './glob-braces.ts';
import { readGlob, type GlobName, type GlobToken } from './glob-tokens.ts';
import { compileAlternatives, type CompiledAlternative, type NameMatcher } from './match-path.ts';
import { createFailure, type SandboxFailure } from '../sandbox-failure.ts';

/** A path pattern, ready to be compared. */
export interface Glob {
  readonly ok: true;
  /** Whether a `/`-separated path matches from its first character to its last. */
  matches(path: string): boolean;
}

/** A path pattern that can be compared with entries of folders, of which most fail by their names. */
export interface EntryGlob extends Glob {
  /** The same as `matches(prefix + name)`, for a name without a slash, in less time. */
  matchesEntry(prefix: string, name: string): boolean;
}

/** Options for {@link compileGlob}. */
export interface GlobOptions {
  /** Whether `{a,b}` means either of two; without, braces are characters. Default true. */
  readonly braces?: boolean;
}

const longestGlob = 4_000;
// All alternatives together: with it the worst path takes milliseconds.
const mostCharacters = 20_000;

/**
 * Compiles a path pattern: `*` and `?` inside a name, `**` as a name for any number of names (none too), `[a-z]`, `[!a]`,
 * `[[:digit:]]`, `{a,b}`, and a backslash before a character meant literally. Everything else is literal, brackets and
 * bars of regular expressions too, and names that begin with a dot are names like others.
 *
 * Matching never goes back further than to the last star, so it takes at most time in proportion to pattern times path,
 * whatever either is: patterns and paths may come from anybody. A pattern that can't be used is the failure
 * `INVALID_PATTERN`: empty, unbalanced, ending in a backslash, of more than 4,000 characters or 256 alternatives.
 *
 * @throws TypeError for arguments of another type.
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): Glob | SandboxFailure {
  const glob = compileEntryGlob(pattern, options);
  return glob.ok ? { ok: true, matches: (path) => glob.matches(path) } : glob;
}

/**
 * {@link compileGlob} for patterns that many entries are compared with.
 *
 * @throws TypeError for arguments of another type.
 */
export function compileEntryGlob(pattern: string, options: GlobOptions = {}): EntryGlob | SandboxFailure {
  checkText('the pattern', pattern, '**/*.ts');
  checkOptions(options, '{ braces: false }', { braces: trueOrFalse });
  if (pattern === '') return invalid(pattern, 'it is empty');
  if (pattern.length > longestGlob) return invalid(pattern, `it has more than ${longestGlob} characters`);
  const alternatives = options.braces === false ? [pattern] : expandBraces(pattern);
  if ('reason' in alternatives) return invalid(pattern, alternatives.reason);
  if (alternatives.reduce((sum, { length }) => sum + length, 0) > mostCharacters)
    return invalid(pattern, 'its braces stand for too much text');
  const compiled: CompiledAlternative[] = [];
  for (const alternative of alternatives) {
    const read = readGlob(alternative);
    if ('reason' in read) return invalid(pattern, read.reason);
    const names = read.names.map((name) => (name === '**' ? name : compileName(name)));
    compiled.push({ names, lastStars: names.lastIndexOf('**'), needed: findPlainName(read.names) });
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
 * Compiles a pattern over a text that is no path: `*`, `?` and classes, with a slash like any other character. As safe as
 * {@link compileGlob}. A bracket that is not closed, or a backslash at the end, is the failure `INVALID_PATTERN`.
 */
export function compileWildcard(pattern: string): Glob | SandboxFailure {
  checkText('the pattern', pattern, 'v*.txt');
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
  return createFailure('INVALID_PATTERN', `the pattern ${JSON.stringify(shown)} can't be used: ${reason}`);
}

/** The last name that is a plain text. */
function findPlainName(names: readonly GlobName[]): string | undefined {
  for (let index = names.length - 1; index >= 0; index -= 1) {
    const name = names[index]!;
    const [only] = name;
    if (name !== '**' && name.length === 1 && typeof only === 'object' && only.kind === 'text') return only.text;
  }
  return undefined;
}

/** Most names of patterns are a text, or a star before or behind one. */
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

/** The index after what a token takes, or -1. */
function matchToken(token: Exclude<GlobToken, { readonly kind: 'star' }>, text: string, from: number): number {
  if (token.kind === 'text') return text.startsWith(token.text, from) ? from + token.text.length : -1;
  if (from >= text.length) return -1;
  const end = from + widthAt(text, from);
  return token.kind !== 'class' || token.has(text.slice(from, end)) ? end : -1;
}

function widthAt(text: string, index: number): number {
  return text.codePointAt(index)! > 0xffff ? 2 : 1;
}
