/**
 * Codes of a {@link SchemaError}.
 *
 * - `SCHEMA_NOT_RECOGNISED`: the input is neither zod, nor a Standard Schema, nor a JSON Schema.
 * - `SCHEMA_INVALID`: a keyword has an invalid value, or the schema contains values that JSON cannot hold.
 * - `SCHEMA_PATTERN_INVALID`: a `pattern` is not a regular expression.
 * - `SCHEMA_PATTERN_UNSAFE`: matching a `pattern` can take exponential time.
 * - `SCHEMA_REF_UNRESOLVED`: a `$ref` points outside the schema or has no target.
 * - `SCHEMA_REF_LOOP`: a `$ref` leads back to itself without consuming any of the value.
 * - `SCHEMA_TOO_LARGE`: the schema is nested too deep, has too many nodes, or expands to too many checks.
 * - `DIALECT_UNKNOWN`: no dialect has this name.
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

/** Thrown if a schema cannot be used. A value that does not fit a schema is never thrown: it is reported as issues. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  /** The permanent error code. */
  readonly code: SchemaErrorCode;
  /** The page that explains the code. */
  readonly url: string;
  /** Position in the schema, as a JSON Pointer fragment such as `#/properties/name/pattern`. */
  readonly schemaPath: string;

  constructor(code: SchemaErrorCode, message: string, schemaPath = '#', options?: ErrorOptions) {
    super(schemaPath === '#' ? message : `${message} (at ${schemaPath})`, options);
    this.code = code;
    this.url = `https://docs.haft-project.example/errors/#schema-${code}`;
    this.schemaPath = schemaPath;
  }
}
