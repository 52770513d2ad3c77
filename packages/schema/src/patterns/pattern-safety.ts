import type { PatternPositions } from './pattern-positions.ts';
import { buildPositions } from './pattern-positions.ts';
import type { CharacterRange, PatternTree } from './pattern-tree.ts';
import { parsePattern } from './pattern-tree.ts';

const longest = 5000;
const maxPositions = 400;
const maxSteps = 100_000;

/**
 * Whether matching a regular expression can take exponential time: a loop can read the same text in two ways (`(a+)+`,
 * `(a|a)*`, `(\w+\s?)*`). Exact for the pattern's automaton; patterns that are too large count as unsafe. Method:
 * exponential ambiguity by the product of the automaton with itself (Weber and Seidl, 1991).
 */
export function canExplode(pattern: string): boolean {
  if (pattern.length > longest) return true;
  const { tree, lookarounds } = parsePattern(pattern);
  return [tree, ...lookarounds].some((part) => treeCanExplode(part));
}

function treeCanExplode(tree: PatternTree): boolean {
  const positions = buildPositions(tree, 9, maxPositions) ?? buildPositions(tree, 1, maxPositions * 4);
  return positions === undefined || isAmbiguousInLoop(positions);
}

function isAmbiguousInLoop({ sets, follow }: PatternPositions): boolean {
  const component = findComponents(sets.length, (position) => follow[position]?.keys() ?? []);
  const next = follow.map((ways, position) => [...ways.keys()].filter((to) => component[to] === component[position]));
  for (const [position, ways] of follow.entries()) {
    for (const to of next[position] ?? []) if ((ways.get(to) ?? 0) > 1) return true;
  }
  return hasMeetingPaths(sets, next);
}

/** Whether two different paths over the same text leave one state and meet in it again. */
function hasMeetingPaths(sets: readonly (readonly CharacterRange[])[], next: readonly (readonly number[])[]): boolean {
  const size = sets.length;
  const kinds = numberAlike(next);
  const nodes = new Map<number, number>();
  // Pairs of positions have numbers from 0 up, nodes between pairs have numbers from -1 down.
  const names: number[] = [];
  const edges: number[][] = [];
  let steps = 0;

  function nodeOf(name: number): number {
    const known = nodes.get(name);
    if (known !== undefined) return known;
    nodes.set(name, names.length);
    edges.push([]);
    return names.push(name) - 1;
  }

  function pairOf(left: number, right: number): number {
    return nodeOf(left < right ? left * size + right : right * size + left);
  }

  for (let position = 0; position < size; position += 1) {
    if ((next[position]?.length ?? 0) > 0) pairOf(position, position);
  }
  for (let id = 0; id < names.length; id += 1) {
    const name = names[id] as number;
    if (name < 0) continue;
    const lefts = Math.floor(name / size);
    const rights = name % size;
    // Pairs with the same successors (the ends of many alternatives) share one node.
    const known = names.length;
    const hub = nodeOf(-1 - ((kinds[lefts] as number) * size + (kinds[rights] as number)));
    edges[id]?.push(hub);
    if (hub < known) continue;
    for (const left of next[lefts] ?? []) {
      for (const right of next[rights] ?? []) {
        steps += 1;
        if (steps > maxSteps) return true;
        if (left === right || overlaps(sets[left] ?? [], sets[right] ?? [])) edges[hub]?.push(pairOf(left, right));
      }
    }
  }

  const component = findComponents(names.length, (id) => edges[id] ?? []);
  const diagonal = new Set<number>();
  for (const [id, name] of names.entries()) if (isDiagonal(name, size)) diagonal.add(component[id] as number);
  return names.some((name, id) => name >= 0 && !isDiagonal(name, size) && diagonal.has(component[id] as number));
}

/** Gives positions with the same successors the same number. */
function numberAlike(next: readonly (readonly number[])[]): readonly number[] {
  const numbers = new Map<string, number>();
  return next.map((places) => {
    const text = places.join();
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  });
}

function isDiagonal(name: number, size: number): boolean {
  return name >= 0 && Math.floor(name / size) === name % size;
}

/** Whether two sets share a character. */
export function overlaps(left: readonly CharacterRange[], right: readonly CharacterRange[]): boolean {
  return left.some(([low, high]) => right.some((other) => low <= other[1] && other[0] <= high));
}

/** Numbers the strongly connected components of a graph (Tarjan's algorithm with its own stack). */
export function findComponents(size: number, next: (node: number) => Iterable<number>): readonly number[] {
  const order = Array.from<number>({ length: size }).fill(-1);
  const low = Array.from<number>({ length: size }).fill(0);
  const component = Array.from<number>({ length: size }).fill(-1);
  const open: number[] = [];
  let visited = 0;
  let components = 0;
  for (let start = 0; start < size; start += 1) {
    if (order[start] !== -1) continue;
    const path: { readonly node: number; readonly rest: Iterator<number> }[] = [];
    const enter = (node: number): void => {
      order[node] = low[node] = visited;
      visited += 1;
      open.push(node);
      path.push({ node, rest: next(node)[Symbol.iterator]() });
    };
    enter(start);
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const { node, rest } = frame;
      const step = rest.next();
      if (step.done === true) {
        path.pop();
        if (low[node] === order[node]) {
          for (let member = open.pop(); member !== undefined; member = open.pop()) {
            component[member] = components;
            if (member === node) break;
          }
          components += 1;
        }
        const parent = path.at(-1)?.node;
        if (parent !== undefined) low[parent] = Math.min(low[parent] as number, low[node] as number);
      } else if (order[step.value] === -1) {
        enter(step.value);
      } else if (component[step.value] === -1) {
        low[node] = Math.min(low[node] as number, order[step.value] as number);
      }
    }
  }
  return component;
}
