/** The types of JSON values. */
export type ValueType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** The rules of a provider that accepts a subset of JSON Schema, as plain data. Each field is one documented rule. */
export interface SubsetRules {
  /**
   * Accepted keywords besides structure (`type`, `properties`, `required`, `items`, `anyOf`, `enum`, `description`,
   * `title`).
   */
  readonly keywords: readonly string[];
  /** Accepted values of `format`. A list, because most providers refuse a request with an unknown format. */
  readonly formats: readonly string[];
  /** Types that `enum` may list; values of other types are written as JSON text. */
  readonly enumTypes: readonly ('string' | 'number' | 'boolean' | 'null')[];
  /** How an optional key is written: `absent`: unchanged; `null`: as a required key that accepts null. */
  readonly optional: 'absent' | 'null';
  /**
   * Treatment of undeclared keys. `closed`: `additionalProperties: false` is written everywhere and maps become lists
   * of pairs. `unsaid`: the same without the keyword, which the provider does not know. `schema`: the keyword accepts
   * schemas.
   */
  readonly undeclared: 'closed' | 'unsaid' | 'schema';
  /** How null is added to another type: `type: [..., "null"]` or OpenAPI's `nullable`. */
  readonly nullable: 'type-list' | 'keyword';
  /** Whether a schema may refer to itself by `$ref`. If not, it is unrolled, and deeper levels become JSON text. */
  readonly recursion: 'references' | 'unrolled';
  /** Whether tuples may be written as `prefixItems`. */
  readonly tuples: boolean;
  /** Largest accepted `minItems`. */
  readonly maxMinItems?: number;
  /** Allowed form of keys. Other keys are renamed, and renamed back when an answer is raised. */
  readonly keys?: RegExp;
  /** Whether objects without keys are allowed below the root. */
  readonly emptyObjects: boolean;
  /** Sizes above which the provider refuses a schema. Larger parts become JSON text or a less exact schema. */
  readonly limits: {
    readonly depth?: number;
    readonly properties?: number;
    readonly enumValues?: number;
    /** Maximum total length of the values of one long enum, in characters. */
    readonly longEnum?: { readonly values: number; readonly characters: number };
    /** Maximum total length of all names and enum values, in characters. */
    readonly characters?: number;
    readonly optionalKeys?: number;
    readonly unions?: number;
  };
}
