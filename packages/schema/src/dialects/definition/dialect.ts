import type { JsonSchemaObject } from '../../json-schema.ts';
import type { SchemaDocument } from '../../document/schema-document.ts';

/** One thing that a schema says and a dialect cannot. */
export interface LostRule {
  /** Where in the original schema, as a JSON pointer fragment: `#/properties/age`. */
  readonly path: string;
  /** The keyword that is lost there: `minimum`. */
  readonly keyword: string;
  /**
   * `wider`: the lowered schema takes values that the original refuses; validating what was raised reports them.
   * `narrower`: some values that the original takes cannot be written any more.
   */
  readonly effect: 'wider' | 'narrower';
  /** What that means, in one sentence. */
  readonly meaning: string;
}

/** A schema as a dialect takes it, and the way between values of the two. */
export interface DialectSchema {
  /** The lowered schema, frozen; the same object each time for the same schema. */
  readonly schema: JsonSchemaObject;
  /** What the lowered schema does not say; empty when it says all. Each place and keyword once. */
  readonly lost: readonly LostRule[];
  /**
   * Turns an answer to the lowered schema into what it means by the original: nulls that only fill a required place are
   * dropped, wrapped roots unwrapped, lists of pairs become maps. What does not look like such an answer stays as it is,
   * so that validation, which comes next, can say what is wrong. Never throws, never changes its input.
   */
  readonly raise: (answer: unknown) => unknown;
  /**
   * The way back: a value of the original as an answer to the lowered schema, for calls shown to a model as examples or
   * as history. Raising gives the value again. What cannot be written stays as it is.
   */
  readonly lower: (value: unknown) => unknown;
}

/** What one vendor, or one draft, takes of JSON Schema. */
export interface Dialect {
  readonly name: string;
  /** Where the rules are documented. */
  readonly source: string;
  /** Whether a request has to say `strict: true` for it. */
  readonly isStrict?: boolean;
  /** Lowers a schema that has been read and checked. */
  readonly lower: (document: SchemaDocument) => DialectSchema;
}
