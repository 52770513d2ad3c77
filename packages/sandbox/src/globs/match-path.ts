/** Returns true if a path segment matches. */
export type NameMatcher = (name: string) => boolean;

/** A pattern without braces, split at its slashes. */
export interface CompiledAlternative {
  readonly names: readonly ('**' | NameMatcher)[];
  /** Index of the last `**`, or -1. */
  readonly lastStars: number;
  /** A literal segment that every matching path contains; undefined if the pattern has no literal segment. */
  readonly needed: string | undefined;
  /** The literal text that every matching path begins with, or empty. */
  readonly start: string;
}

/** Minimum number of alternatives for which an index by segment is faster. */
const minIndexedAlternatives = 8;

/** Compiles alternatives into one function: a path matches if any alternative matches. */
export function compileAlternatives(alternatives: readonly CompiledAlternative[]): (path: string) => boolean {
  if (alternatives.length < minIndexedAlternatives) return (path) => matchPath(alternatives, path);
  const others = alternatives.filter(({ needed }) => needed === undefined);
  const byName = new Map<string, { readonly alternatives: CompiledAlternative[]; visit: number }>();
  for (const alternative of alternatives) {
    if (alternative.needed === undefined) continue;
    const known = byName.get(alternative.needed);
    if (known) known.alternatives.push(alternative);
    else byName.set(alternative.needed, { alternatives: [alternative], visit: 0 });
  }
  let visit = 0;
  return (path) => {
    visit += 1;
    const names = path.split('/');
    for (const name of names) {
      const group = byName.get(name);
      // A hostile path may repeat a segment many times.
      if (group === undefined || group.visit === visit) continue;
      group.visit = visit;
      for (const alternative of group.alternatives) if (matchNames(alternative, names)) return true;
    }
    return matchPath(others, path, names);
  };
}

/** Compares the last segment first, because it rejects most paths; splits the path only when needed. */
function matchPath(alternatives: readonly CompiledAlternative[], path: string, given?: readonly string[]): boolean {
  const last = path.slice(path.lastIndexOf('/') + 1);
  let names = given;
  for (const alternative of alternatives) {
    const { names: pattern, lastStars, start } = alternative;
    if (!path.startsWith(start)) continue;
    const end = pattern[pattern.length - 1]!;
    if (end !== '**' && !end(last)) continue;
    if (lastStars === 0 && pattern.length === 2) return true;
    names ??= path.split('/');
    if (matchNames(alternative, names)) return true;
  }
  return false;
}

/**
 * Matches greedily and backtracks only to the latest `**`; earlier ones never need to be reconsidered. The segments
 * after the last `**` must match the end of the path.
 */
function matchNames({ names: pattern, lastStars }: CompiledAlternative, names: readonly string[]): boolean {
  let at = 0;
  let next = 0;
  let back = -1;
  let taken = 0;
  while (next < names.length) {
    const part = pattern[at];
    if (at === lastStars) return endsIn(pattern, at + 1, names, next);
    if (part === '**') {
      back = at;
      taken = next;
      at += 1;
    } else if (part !== undefined && part(names[next]!)) {
      at += 1;
      next += 1;
    } else if (back !== -1) {
      at = back + 1;
      taken += 1;
      next = taken;
    } else return false;
  }
  while (pattern[at] === '**') at += 1;
  return at === pattern.length;
}

function endsIn(pattern: CompiledAlternative['names'], from: number, names: readonly string[], next: number): boolean {
  const first = names.length - (pattern.length - from);
  if (first < next) return false;
  for (let index = from; index < pattern.length; index += 1) {
    const part = pattern[index]!;
    if (part === '**' || !part(names[first + index - from]!)) return false;
  }
  return true;
}
