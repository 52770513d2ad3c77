/** Says of one name whether it fits. */
export type NameMatcher = (name: string) => boolean;

/** A pattern without braces, cut at its slashes. */
export interface CompiledAlternative {
  readonly names: readonly ('**' | NameMatcher)[];
  /** Index of the last `**`, or -1. */
  readonly lastStars: number;
  /** A name that each matching path has; undefined if every name of the pattern is a pattern itself. */
  readonly needed: string | undefined;
}

/** Number of alternatives from which it is worth looking them up by a name of the path. */
const fewestIndexed = 8;

/** Compiles alternatives into one test: a path matches if it matches one of them. */
export function compileAlternatives(alternatives: readonly CompiledAlternative[]): (path: string) => boolean {
  if (alternatives.length < fewestIndexed) return (path) => matchPath(alternatives, path);
  const others = alternatives.filter(({ needed }) => needed === undefined);
  const byName = new Map<string, { readonly alternatives: CompiledAlternative[]; look: number }>();
  for (const alternative of alternatives) {
    if (alternative.needed === undefined) continue;
    const known = byName.get(alternative.needed);
    if (known) known.alternatives.push(alternative);
    else byName.set(alternative.needed, { alternatives: [alternative], look: 0 });
  }
  let look = 0;
  return (path) => {
    look += 1;
    const names = path.split('/');
    for (const name of names) {
      const group = byName.get(name);
      // A hostile path repeats a name very often.
      if (group === undefined || group.look === look) continue;
      group.look = look;
      for (const alternative of group.alternatives) if (matchNames(alternative, names)) return true;
    }
    return matchPath(others, path, names);
  };
}

/** The last name decides most: a path is cut at its slashes only for what goes on from there. */
function matchPath(alternatives: readonly CompiledAlternative[], path: string, given?: readonly string[]): boolean {
  const last = path.slice(path.lastIndexOf('/') + 1);
  let names = given;
  for (const alternative of alternatives) {
    const { names: pattern, lastStars } = alternative;
    const end = pattern[pattern.length - 1]!;
    if (end !== '**' && !end(last)) continue;
    if (lastStars === 0 && pattern.length === 2) return true;
    names ??= path.split('/');
    if (matchNames(alternative, names)) return true;
  }
  return false;
}

/**
 * Greedy with one place to come back to: an earlier `**` never needs to be reconsidered. What follows the last one can only
 * be the end of the path.
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
