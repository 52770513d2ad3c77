import type { Effort } from '../values/closest-key.ts';
import type { IssueCode } from '../issue.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { SchemaDocument } from '../document/schema-document.ts';
import type { Place } from '../value-path.ts';

/** What a keyword's check may use. */
export interface CheckContext {
  readonly document: SchemaDocument;
  /** Whether mistakes are reported; when not, a check may stop at the first one. */
  readonly isCollecting: boolean;
  /** Checks a value, reporting mistakes when collecting. */
  check(schema: JsonSchema, value: unknown, place: Place | undefined, evaluated?: Evaluated): boolean;
  /** Checks a value and reports nothing. */
  test(schema: JsonSchema, value: unknown, evaluated?: Evaluated): boolean;
  /** Reports one mistake; always answers false. */
  report(mistake: Mistake): false;
  /** Reports that a value is too costly to be checked; always answers false. */
  giveUp(place: Place | undefined, value: unknown): false;
  /** For finding out what mistaken keys mean. */
  readonly effort: Effort;
  /** Counts work that is not a check of a part; false when too much has been done. */
  readonly spend: (steps: number) => boolean;
}

/** A mistake as a keyword sees it; the issue is made from it. */
export interface Mistake {
  readonly place: Place | undefined;
  readonly code: IssueCode;
  readonly expected: string;
  /** The offending value; previewed. */
  readonly value: unknown;
  /** Replaces the preview. */
  readonly received?: string;
  /** Replaces the usual sentence `<path> must be <expected>, not <received>.`; gets the path. */
  readonly say?: (path: string) => string;
  /** The schema a valid example may be derived from. */
  readonly schema?: JsonSchema;
}

/** The keys and items that a schema has looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Evaluated {
  readonly keys: Set<string>;
  readonly items: Set<number>;
}

/** An {@link Evaluated} with nothing in it. */
export function createEvaluated(): Evaluated {
  return { keys: new Set(), items: new Set() };
}

/** Adds what one schema looked at to what another did. */
export function mergeEvaluated(into: Evaluated, from: Evaluated): void {
  for (const key of from.keys) into.keys.add(key);
  for (const item of from.items) into.items.add(item);
}
