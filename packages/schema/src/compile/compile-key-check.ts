import type { AliasTree } from '../keys/alias-tree.ts';
import type { Effort } from '../spelling/closest-key.ts';
import { createEffort } from '../spelling/closest-key.ts';
import type { Coerced } from '../coerce/coerce-value.ts';
import type { Coercion } from '../coerce/coercion.ts';
import type { Predicate } from '../generated/code-writer.ts';
import { createQuickKeyCheck } from '../generated/generated-key-check.ts';
import type { Issue } from '../issue.ts';
import type { JsonRecord } from '../json-value.ts';
import { hasValue, isRecord, setOwn } from '../json-value.ts';
import type { KeyNode } from '../keys/key-tree.ts';
import { readKeyTree } from '../keys/key-tree.ts';
import { quote } from '../preview.ts';
import type { SchemaDocument } from '../document/schema-document.ts';
import type { Place } from '../value-path.ts';
import { formatPath, keysOf } from '../value-path.ts';

/** Checks the keys of a value that fits: an open schema accepts a misspelt key silently. */
export interface KeyCheck {
  /** Whether every key is declared. Fast, because it runs for every valid call. */
  knowsAll(value: unknown): boolean;
  /**
   * Renames undeclared keys to the declared keys that they mean, unless those are present. An alias is always renamed;
   * another spelling only if the schema gives undeclared keys no meaning. Returns `undefined` if no key was renamed.
   */
  applyNames(value: unknown): Coerced | undefined;
  /** Returns issues about keys that nearly match a declared key. */
  findNearMisses(value: unknown): readonly Issue[];
}

/** The new name of a key, and the reason. */
interface Rename {
  readonly name: string;
  readonly code: Coercion['code'];
}

const deepest = 200;
/** Number of uses of a schema before code is generated for it. */
const worthCode = 5;
const maxAdvisories = 20;

/** Prepares the key check of a schema. A schema without declared keys needs none. */
export function createKeyCheck(document: SchemaDocument, aliases: AliasTree | undefined): KeyCheck {
  const root = readKeyTree(document, aliases);
  let quick: Predicate | undefined;
  let asked = 0;
  return {
    knowsAll(value) {
      if (root === undefined) return true;
      asked += 1;
      if (asked === worthCode) quick = createQuickKeyCheck(root);
      return quick?.(value) === true || knowsAll(root, value, 0);
    },
    applyNames: (value) => (root === undefined ? undefined : renameKeys(root, value)),
    findNearMisses(value) {
      const found: Issue[] = [];
      if (root !== undefined) findNearMisses(root, value, undefined, { found, effort: createEffort(), depth: 0 });
      return found;
    },
  };
}

function knowsAll(node: KeyNode, value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > deepest) return true;
  if (Array.isArray(value)) return node.items === undefined || knowsAllOfItems(node.items, value, depth);
  const { members, known, rest } = node;
  const isOpen = !node.isClosed && known.size > 0;
  if (!isOpen && members.size === 0 && rest === undefined) return true;
  for (const key in value) {
    let inside = members.get(key);
    if (inside === undefined && !known.has(key)) {
      if (isOpen) return false;
      inside = rest;
    }
    if (inside === undefined) continue;
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'object' && member !== null && !knowsAll(inside, member, depth + 1)) return false;
  }
  return true;
}

function knowsAllOfItems(node: KeyNode, items: readonly unknown[], depth: number): boolean {
  for (const item of items) if (typeof item === 'object' && !knowsAll(node, item, depth + 1)) return false;
  return true;
}

/** The key node inside a member. Rules for further keys do not apply to declared keys. */
function nodeInside({ members, known, rest }: KeyNode, key: string): KeyNode | undefined {
  return members.get(key) ?? (known.has(key) ? undefined : rest);
}

function renameKeys(root: KeyNode, value: unknown): Coerced | undefined {
  const coercions: Coercion[] = [];

  function rename(node: KeyNode, part: unknown, place: Place | undefined, depth: number): unknown {
    if (depth > deepest) return part;
    if (Array.isArray(part)) {
      const { items } = node;
      if (items === undefined) return part;
      const renamed = part.map((item, key) => rename(items, item, { parent: place, key }, depth + 1));
      return renamed.every((item, index) => item === part[index]) ? part : renamed;
    }
    if (!isRecord(part)) return part;
    const renames = findRenames(node, part);
    const renamed: Record<string, unknown> = {};
    let isChanged = false;
    for (const key of Object.keys(part)) {
      const found = renames.get(key);
      const name = found?.name ?? key;
      if (found !== undefined) {
        const path = formatPath(keysOf({ parent: place, key }));
        coercions.push({ path, code: found.code, from: key, to: name });
      }
      const member = nodeInside(node, name);
      const result =
        member === undefined ? part[key] : rename(member, part[key], { parent: place, key: name }, depth + 1);
      if (name !== key || result !== part[key]) isChanged = true;
      setOwn(renamed, name, result);
    }
    return isChanged ? renamed : part;
  }

  const renamed = rename(root, value, undefined, 0);
  return coercions.length === 0 ? undefined : { value: renamed, coercions };
}

/** Returns the new names of keys. If two keys mean the same name, neither is renamed. */
function findRenames(node: KeyNode, part: JsonRecord): ReadonlyMap<string, Rename> {
  const claims = new Map<string, { readonly key: string; readonly code: Coercion['code'] } | undefined>();
  for (const key of Object.keys(part)) {
    if (node.known.has(key)) continue;
    const byAlias = pickByAlias(key, node, part);
    const name = byAlias ?? pickVariant(key, node, part);
    if (name === undefined) continue;
    claims.set(name, claims.has(name) ? undefined : { key, code: byAlias === undefined ? 'key_renamed' : 'alias' });
  }
  const renames = new Map<string, Rename>();
  for (const [name, claim] of claims) if (claim !== undefined) renames.set(claim.key, { name, code: claim.code });
  return renames;
}

function pickByAlias(key: string, { aliases, known }: KeyNode, value: JsonRecord): string | undefined {
  const names = [...(aliases?.own ?? [])].filter(
    ([name, others]) => others.includes(key) && known.has(name) && !hasValue(value, name),
  );
  return names.length === 1 ? names[0]?.[0] : undefined;
}

function pickVariant(key: string, { index, isClosed, isOpen }: KeyNode, value: JsonRecord): string | undefined {
  if (isClosed || isOpen) return undefined;
  const [name, ...others] = index.variantsOf(key);
  return name === undefined || others.length > 0 || hasValue(value, name) ? undefined : name;
}

/** Findings so far, and the remaining budget. */
interface Search {
  readonly found: Issue[];
  readonly effort: Effort;
  readonly depth: number;
}

function findNearMisses(node: KeyNode, value: unknown, place: Place | undefined, search: Search): void {
  const { found, effort, depth } = search;
  if (depth > deepest || found.length >= maxAdvisories) return;
  const inside: Search = { found, effort, depth: depth + 1 };
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return;
    for (const [key, item] of value.entries()) findNearMisses(items, item, { parent: place, key }, inside);
    return;
  }
  if (!isRecord(value)) return;
  const isAbsent = (name: string): boolean => !hasValue(value, name);
  for (const key of Object.keys(value)) {
    const at: Place = { parent: place, key };
    const isOdd = !node.isClosed && node.known.size > 0 && !node.known.has(key);
    const meant = isOdd ? node.index.findClosest(key, isAbsent, effort) : undefined;
    if (meant !== undefined && found.length < maxAdvisories) found.push(createAdvisory(at, key, meant));
    const member = nodeInside(node, key);
    if (member !== undefined) findNearMisses(member, value[key], at, inside);
  }
}

function createAdvisory(place: Place, key: string, meant: string): Issue {
  const path = formatPath(keysOf(place));
  const name = quote(meant, 60);
  return {
    path,
    code: 'unknown_key',
    expected: `the key ${name}`,
    received: `key ${quote(key, 56)}`,
    message: `${path} is not a known key and was ignored by the schema; did you mean ${name}?`,
  };
}
