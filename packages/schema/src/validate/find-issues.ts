import type { Mistake } from '../keywords/check-context.ts';
import { checkValue, createChecker } from './check-value.ts';
import { deriveValidExample } from './derive-valid-example.ts';
import type { Issue } from '../issue.ts';
import { isRecord } from '../json-value.ts';
import { previewReceived } from '../preview.ts';
import type { SchemaDocument } from '../document/schema-document.ts';
import { formatPath, keysOf } from '../value-path.ts';

/** Maximum number of issues reported for one value. */
export const maxIssues = 1000;

/** An issue with the keys of its path, for sorting. */
export interface PlacedIssue {
  readonly keys: readonly (string | number)[];
  readonly issue: Issue;
}

/** Returns all issues of a value by its JSON Schema, unsorted; empty if it fits. */
export function findIssues(document: SchemaDocument, value: unknown): PlacedIssue[] {
  const found = new Map<string, PlacedIssue>();
  createChecker(document).check(document.root, value, (mistake) => {
    if (found.size >= maxIssues) return;
    const keys = keysOf(mistake.place);
    const issue = createIssue(document, mistake, formatPath(keys));
    const identity = `${issue.path}\n${issue.code}\n${issue.expected}`;
    if (!found.has(identity)) found.set(identity, { keys, issue });
  });
  return [...found.values()];
}

function createIssue(document: SchemaDocument, mistake: Mistake, path: string): Issue {
  const received = mistake.received ?? previewReceived(mistake.value);
  const { code, expected, say, schema } = mistake;
  const message = say?.(path) ?? `${path} must be ${expected}, not ${received}.`;
  const example =
    schema === undefined ? undefined : (boundOf(document, mistake) ?? deriveValidExample(document, schema));
  return { path, code, expected, received, message, ...(example === undefined ? {} : { example }) };
}

/** For a value beyond a bound, the bound itself is the nearest valid value. */
function boundOf(document: SchemaDocument, { code, schema }: Mistake): string | undefined {
  if (typeof schema !== 'object') return undefined;
  const bound = code === 'maximum' ? schema.maximum : code === 'minimum' ? schema.minimum : undefined;
  return bound !== undefined && checkValue(document, schema, bound) ? JSON.stringify(bound) : undefined;
}

/** Sorts issues in document order: by path, an object before its members, missing keys after present ones. */
export function orderIssues(value: unknown, placed: readonly PlacedIssue[]): readonly Issue[] {
  if (placed.length < 2) return placed.map(({ issue }) => issue);
  const orders = new Map<object, Map<string, number>>();

  function rank(container: unknown, key: string | number): number {
    if (typeof key === 'number' || !isRecord(container)) return Number(key);
    let order = orders.get(container);
    if (order === undefined) {
      order = new Map(Object.keys(container).map((name, index) => [name, index]));
      orders.set(container, order);
    }
    return order.get(key) ?? Infinity;
  }

  const ranked = placed.map(({ keys, issue }) => {
    let at: unknown = value;
    const ranks = keys.map((key) => {
      const place = rank(at, key);
      const isThere = typeof at === 'object' && at !== null && Object.hasOwn(at, key);
      at = isThere ? (at as Record<string | number, unknown>)[key] : undefined;
      return place;
    });
    return { ranks, keys, issue };
  });
  return ranked.sort(comparePlaces).map(({ issue }) => issue);
}

interface Ranked {
  readonly ranks: readonly number[];
  readonly keys: readonly (string | number)[];
}

function comparePlaces(left: Ranked, right: Ranked): number {
  for (const [index, rank] of left.ranks.entries()) {
    const other = right.ranks[index];
    if (other === undefined) return 1;
    if (rank !== other) return rank < other ? -1 : 1;
    // Missing keys are sorted by name: some libraries do not keep the declared order.
    const [key, otherKey] = [String(left.keys[index]), String(right.keys[index])];
    if (rank === Infinity && key !== otherKey) return key < otherKey ? -1 : 1;
  }
  return left.ranks.length - right.ranks.length;
}
