import { compileGlob, compileWildcard, type Glob, type SandboxFailure } from '@haft/sandbox';

/** Says whether a path or a word matches. */
export type Matcher = (text: string) => boolean;

/**
 * Compiles a pattern over `/`-separated paths.
 *
 * @throws TypeError for a pattern that can't be used.
 */
export function compilePathMatcher(pattern: string): Matcher {
  return matcherOf(compileGlob(pattern));
}

/**
 * Compiles a pattern of stars and question marks over a text that is no path.
 *
 * @throws TypeError for a pattern that can't be used.
 */
export function compileTextMatcher(pattern: string): Matcher {
  // A plain name, as in nearly every rule, and asked for every call.
  if (/^[\w-]+$/.test(pattern)) return (text) => text === pattern;
  return matcherOf(compileWildcard(pattern));
}

function matcherOf(glob: Glob | SandboxFailure): Matcher {
  if (!glob.ok) throw new TypeError(glob.message);
  return (text) => glob.matches(text);
}
