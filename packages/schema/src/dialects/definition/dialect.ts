import type { JsonSchemaObject } from '../../json-schema.ts';
import type { SchemaDocument } from '../../document/schema-document.ts';

/** A rule of a schema that a dialect cannot express. */
export interface LostRule {
  /** Position in the original schema, as a JSON Pointer fragment: `#/properties/age`. */
  readonly path: string;
  /** The keyword that is lost: `minimum`. */
  readonly keyword: string;
  /**
   * `wider`: the converted schema accepts values that the original refuses; validation after raising reports them.
   * `narrower`: some values that the original accepts can no longer be expressed.
   */
  readonly effect: 'wider' | 'narrower';
  /** The consequence, in one sentence. */
  readonly meaning: string;
}

/** A schema in a dialect, with conversions of values in both directions. */
export interface DialectSchema {
  /** The converted schema, frozen. The same object each time for the same schema. */
  readonly schema: JsonSchemaObject;
  /** Rules that the converted schema cannot express, each path and keyword once. Empty if it expresses all. */
  readonly lost: readonly LostRule[];
  /**
   * Converts an answer to the converted schema into a value of the original: drops nulls that only fill a required key,
   * unwraps roots, turns lists of pairs into maps. Other values stay unchanged, so that validation can report them.
   * Never throws and never changes its input.
   */
  readonly raise: (answer: unknown) => unknown;
  /**
   * Converts a value of the original into an answer to the converted schema, for calls that a model sees as examples or
   * history. `raise` converts it back. Values that cannot be expressed stay unchanged.
   */
  readonly lower: (value: unknown) => unknown;
}

/** The subset of JSON Schema that one provider or draft accepts. */
export interface Dialect {
  readonly name: string;
  /** URL of the documentation of the rules. */
  readonly source: string;
  /** Whether a request must set `strict: true`. */
  readonly isStrict?: boolean;
  /** Converts a schema that was read and checked. */
  readonly lower: (document: SchemaDocument) => DialectSchema;
}
