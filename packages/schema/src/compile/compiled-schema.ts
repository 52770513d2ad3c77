import type { Coercion } from '../coerce/coercion.ts';
import type { KeyAliases } from '../keys/alias-tree.ts';
import type { InferJsonSchema } from './infer-json-schema.ts';
import type { Issue } from '../issue.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { StandardSchema } from '../libraries/standard-schema.ts';

/** What `compileSchema` takes: a zod schema or any other Standard Schema, or a JSON Schema (draft-07 or 2020-12). */
export type SchemaInput<Output = unknown> =
  | StandardSchema<unknown, Output>
  | JsonSchema
  | Readonly<Record<string, unknown>>;

/**
 * The type of a valid value of a schema: inferred from zod and Standard Schemas, and from a JSON Schema that is written out as
 * a literal (`as const`, or in the call itself where that is inferred so); a plain record for any other.
 */
export type InferOutput<Input> =
  Input extends StandardSchema<unknown, infer Output>
    ? Output
    : Input extends CompiledSchema<infer Output>
      ? Output
      : InferJsonSchema<Input> extends infer Output extends object
        ? Output
        : Record<string, unknown>;

/** A value that fits. */
export interface ValidationSuccess<Output = unknown> {
  readonly ok: true;
  /** The value, after coercions and the schema's own defaults and transforms. The input itself when nothing changed it. */
  readonly value: Output;
  readonly issues: readonly Issue[];
  /** What was changed to make it fit; empty for a value that fitted as it came. */
  readonly coercions: readonly Coercion[];
  /**
   * Keys that the schema lets pass although each nearly names a declared one: code `unknown_key`, at most 20. Absent when
   * there are none.
   */
  readonly advisories?: readonly Issue[];
}

/** A value that does not fit, with all that is wrong, in document order. */
export interface ValidationFailure {
  readonly ok: false;
  readonly value?: undefined;
  readonly issues: readonly Issue[];
  /** What was understood in spite of the rest; `issues` speak of the value after these. */
  readonly coercions: readonly Coercion[];
}

/** The outcome of validating one value. */
export type ValidationResult<Output = unknown> = ValidationSuccess<Output> | ValidationFailure;

/** A schema compiled once, for many values. */
export interface CompiledSchema<Output = unknown> {
  /**
   * The JSON Schema of the values that are accepted, frozen: for showing to a model. `true` when the vendor's schema offers
   * none. Derived when first read.
   */
  readonly jsonSchema: JsonSchema;
  /**
   * Validates, and when that fails, coerces and validates again. Never throws for a bad value.
   * Answers at once for JSON Schema, zod and every schema without asynchronous checks; only those answer with a promise.
   */
  validate(value: unknown): ValidationResult<Output> | Promise<ValidationResult<Output>>;
  /**
   * Loads what makes `validate` fast: for a JSON Schema the compiled validator. `undefined` when there is nothing (more) to
   * load. Never rejects, and `validate` is right before, during and after.
   */
  ready(): Promise<void> | undefined;
}

/** How to compile a schema. */
export interface CompileOptions {
  /** Other names of keys, inner ones by their path: `{ path: ['file', 'file_path'], 'edits[].old_text': ['old_string'] }`. */
  readonly aliases?: KeyAliases;
  /** The JSON Schema to use for a vendor's schema that has none of its own (zod/mini, valibot). */
  readonly jsonSchema?: JsonSchema;
}
