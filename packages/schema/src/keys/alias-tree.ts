import type { JsonSchema } from '../json-schema.ts';
import type { Place } from '../value-path.ts';
import { keysOf } from '../value-path.ts';

/**
 * Declared aliases: key → names that a model may use for it. A nested key is named by its path, with `[]` for the items
 * of a list and `*` for any key of a map: `{ path: ['file'], 'edits[].old_text': ['old_string'] }`.
 */
export type KeyAliases = Readonly<Record<string, readonly string[]>>;

/** The aliases at one path of a value, and inside it. */
export interface AliasTree {
  readonly own: ReadonlyMap<string, readonly string[]>;
  readonly inner: ReadonlyMap<string, AliasTree>;
}

interface Growing extends AliasTree {
  readonly own: Map<string, readonly string[]>;
  readonly inner: Map<string, Growing>;
}

/** Sorts aliases by path. A name that the root declares literally is not a path, even if it contains dots. */
export function readAliases(aliases: KeyAliases | undefined, root: JsonSchema): AliasTree | undefined {
  if (aliases === undefined) return undefined;
  const properties = (typeof root === 'object' ? root.properties : undefined) ?? {};
  const tree = createTree();
  for (const path of Object.keys(aliases)) {
    const steps = Object.hasOwn(properties, path) ? [path] : path.replaceAll('[]', '.[]').split('.').filter(Boolean);
    const name = steps.pop() ?? path;
    let at = tree;
    for (const step of steps) {
      const next = at.inner.get(step) ?? createTree();
      at.inner.set(step, next);
      at = next;
    }
    at.own.set(name, aliases[path] ?? []);
  }
  return tree;
}

/** Returns the aliases inside a member. */
export function aliasesInside(tree: AliasTree | undefined, key: string | number): AliasTree | undefined {
  if (typeof key === 'number') return tree?.inner.get('[]');
  return tree?.inner.get(key) ?? tree?.inner.get('*');
}

/** Returns the aliases at a path. */
export function aliasesAt(tree: AliasTree | undefined, place: Place | undefined): AliasTree | undefined {
  if (tree === undefined || place === undefined) return tree;
  return keysOf(place).reduce<AliasTree | undefined>(aliasesInside, tree);
}

function createTree(): Growing {
  return { own: new Map(), inner: new Map() };
}
