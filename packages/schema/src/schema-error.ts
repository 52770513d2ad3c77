/**
 * Every code a {@link SchemaError} can carry.
 *
 * - `SCHEMA_NOT_RECOGNISED`: the input is neither zod, nor a Standard Schema, nor a JSON Schema.
 * - `SCHEMA_INVALID`: a keyword has a value of the wrong form, or the schema holds something that JSON cannot.
 * - `SCHEMA_PATTERN_INVALID`: a `pattern` that is not a regular expression.
 * - `SCHEMA_PATTERN_UNSAFE`: a `pattern` whose matching time can grow exponentially.
 * - `SCHEMA_REF_UNRESOLVED`: a `$ref` that points outside the schema or at nothing.
 * - `SCHEMA_REF_LOOP`: a `$ref` that leads back to itself without consuming any of the value.
 * - `SCHEMA_TOO_LARGE`: nested too deep, too many nodes, or expanding to too many checks.
 * - `DIALECT_UNKNOWN`: a dialect that nobody made.
 */
export const schemaErrorCodes = [
  'SCHEMA_NOT_RECOGNISED',
  'SCHEMA_INVALID',
  'SCHEMA_PATTERN_INVALID',
  'SCHEMA_PATTERN_UNSAFE',
  'SCHEMA_REF_UNRESOLVED',
  'SCHEMA_REF_LOOP',
  'SCHEMA_TOO_LARGE',
  'DIALECT_UNKNOWN',
] as const;

/** One of {@link schemaErrorCodes}. */
export type SchemaErrorCode = (typeof schemaErrorCodes)[number];

/** Thrown when a schema itself cannot be used. A value that does not fit a schema is never thrown: it is reported as issues. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  /** What is wrong with the schema; permanent. */
  readonly code: SchemaErrorCode;
  /** Where in the schema, as a JSON pointer fragment such as `#/properties/name/pattern`. */
  readonly schemaPath: string;

  constructor(code: SchemaErrorCode, message: string, schemaPath = '#', options?: ErrorOptions) {
    super(schemaPath === '#' ? message : `${message} (at ${schemaPath})`, options);
    this.code = code;
    this.schemaPath = schemaPath;
  }
}
