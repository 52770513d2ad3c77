import type { Mistake } from './check-context.ts';
import { createChecker } from './check-value.ts';
import { deriveExample } from './derive-example.ts';
import type { Issue } from './issue.ts';
import { isRecord } from './json-value.ts';
import { previewReceived } from './preview.ts';
import type { SchemaDocument } from './schema-document.ts';
import { formatPath, keysOf } from './value-path.ts';

/** Most issues reported for one value. */
export const mostIssues = 1000;

/** An issue with the keys its path was made of, for ordering. */
export interface PlacedIssue {
  readonly keys: readonly (string | number)[];
  readonly issue: Issue;
}

/** Everything that is wrong with a value by its JSON Schema, in no particular order; empty when it fits. */
export function findIssues(document: SchemaDocument, value: unknown): PlacedIssue[] {
  const found = new Map<string, PlacedIssue>();
  createChecker(document).check(document.root, value, (mistake) => {
    if (found.size >= mostIssues) return;
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
  const example = schema === undefined ? undefined : deriveExample(document, schema);
  return { path, code, expected, received, message, ...(example === undefined ? {} : { example }) };
}

/** Issues in document order: by their place in the value, an object before its members, what is missing after what is there. */
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
    return { ranks, issue };
  });
  return ranked.sort((left, right) => compareRanks(left.ranks, right.ranks)).map(({ issue }) => issue);
}

function compareRanks(left: readonly number[], right: readonly number[]): number {
  for (const [index, rank] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    // Two missing keys keep the order the schema names them in.
    if (rank !== other) return rank < other ? -1 : 1;
  }
  return left.length - right.length;
}
