import { compileGlob, compileWildcard, type Glob, type SandboxFailure } from '@haft/sandbox';

/** Returns whether a path or a word matches. */
export type Matcher = (text: string) => boolean;

/**
 * Compiles a glob over `/`-separated paths.
 *
 * @throws TypeError for an invalid pattern.
 */
export function compilePathMatcher(pattern: string): Matcher {
  return matcherOf(compileGlob(pattern));
}

/**
 * Compiles a pattern with stars and question marks over plain text.
 *
 * @throws TypeError for an invalid pattern.
 */
export function compileTextMatcher(pattern: string): Matcher {
  // Fast path for a plain name, which nearly every rule uses and every call tests.
  if (/^[\w-]+$/.test(pattern)) return (text) => text === pattern;
  return matcherOf(compileWildcard(pattern));
}

function matcherOf(glob: Glob | SandboxFailure): Matcher {
  if (!glob.ok) throw new TypeError(glob.message);
  return (text) => glob.matches(text);
}
