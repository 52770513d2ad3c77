import type { Effort } from '../spelling/closest-key.ts';
import type { IssueCode } from '../issue.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { SchemaDocument } from '../document/schema-document.ts';
import type { Place } from '../value-path.ts';

/** Operations for the check of a keyword. */
export interface CheckContext {
  readonly document: SchemaDocument;
  /** Whether mistakes are reported. If not, a check may stop at the first one. */
  readonly isCollecting: boolean;
  /** Checks a value, and reports mistakes when collecting. */
  check(schema: JsonSchema, value: unknown, place: Place | undefined, evaluated?: Evaluated): boolean;
  /** Checks a value without reporting. */
  test(schema: JsonSchema, value: unknown, evaluated?: Evaluated): boolean;
  /** Reports one mistake. Always returns false. */
  report(mistake: Mistake): false;
  /** Reports that checking the value takes too much work. Always returns false. */
  giveUp(place: Place | undefined, value: unknown): false;
  /** Budget for the search for the key that a mistaken key means. */
  readonly effort: Effort;
  /** Counts work other than nested checks. Returns false when the budget is used up. */
  readonly spend: (steps: number) => boolean;
}

/** A mistake that a keyword found; an issue is created from it. */
export interface Mistake {
  readonly place: Place | undefined;
  readonly code: IssueCode;
  readonly expected: string;
  /** The offending value; shown as a preview. */
  readonly value: unknown;
  /** Replaces the preview. */
  readonly received?: string;
  /** Replaces the default sentence `<path> must be <expected>, not <received>.` Receives the path. */
  readonly say?: (path: string) => string;
  /** Schema to derive a valid example from. */
  readonly schema?: JsonSchema;
}

/** The keys and items that a schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Evaluated {
  readonly keys: Set<string>;
  readonly items: Set<number>;
}

/** Creates an empty {@link Evaluated}. */
export function createEvaluated(): Evaluated {
  return { keys: new Set(), items: new Set() };
}

/** Merges evaluated keys and items. */
export function mergeEvaluated(into: Evaluated, from: Evaluated): void {
  for (const key of from.keys) into.keys.add(key);
  for (const item of from.items) into.items.add(item);
}
