/** The types of JSON values. */
export type ValueType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** What a vendor with a subset of its own takes: plain data, each field one documented rule. */
export interface SubsetRules {
  /** Keywords taken besides structure (`type`, `properties`, `required`, `items`, `anyOf`, `enum`, `description`, `title`). */
  readonly keywords: readonly string[];
  /** Formats taken by `format`; a list, since most vendors refuse a request over a format they don't know. */
  readonly formats: readonly string[];
  /** Types whose values `enum` may list; the others are written as JSON text. */
  readonly enumTypes: readonly ('string' | 'number' | 'boolean' | 'null')[];
  /** How a key that may be left out is written: `absent` as it is, `null` as a required key that may be null. */
  readonly optional: 'absent' | 'null';
  /**
   * What becomes of keys that are not declared. `closed`: `additionalProperties: false` is written everywhere and maps
   * become lists of pairs; `unsaid`: the same, but the keyword itself is not known; `schema`: the keyword takes schemas.
   */
  readonly undeclared: 'closed' | 'unsaid' | 'schema';
  /** How null is added to another type: `type: [..., "null"]` or OpenAPI's `nullable`. */
  readonly nullable: 'type-list' | 'keyword';
  /** Whether a schema may refer to itself by `$ref`; if not, it is unrolled and the rest is JSON text. */
  readonly recursion: 'references' | 'unrolled';
  /** Whether tuples may be written as `prefixItems`. */
  readonly tuples: boolean;
  /** Largest `minItems` that is taken. */
  readonly mostMinItems?: number;
  /** The form of keys; others are renamed, and named back when an answer is raised. */
  readonly keys?: RegExp;
  /** Whether an object without any key may be described below the root. */
  readonly emptyObjects: boolean;
  /** Sizes above which the vendor refuses a schema. What is beyond is written as JSON text, or said less exactly. */
  readonly limits: {
    readonly depth?: number;
    readonly properties?: number;
    readonly enumValues?: number;
    /** Characters that the values of one long enum may have together. */
    readonly longEnum?: { readonly values: number; readonly characters: number };
    /** Characters of all names and enum values. */
    readonly characters?: number;
    readonly optionalKeys?: number;
    readonly unions?: number;
  };
}
