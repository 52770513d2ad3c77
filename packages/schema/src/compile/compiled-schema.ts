import type { Coercion } from '../coerce/coercion.ts';
import type { KeyAliases } from '../keys/alias-tree.ts';
import type { InferJsonSchema } from './infer-json-schema.ts';
import type { Issue } from '../issue.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { UndeclaredKeys } from '../keys/undeclared-keys.ts';
import type { StandardSchema } from '../libraries/standard-schema.ts';

/** Input of `compileSchema`: zod, any other Standard Schema, or a JSON Schema (draft-07 or 2020-12). */
export type SchemaInput<Output = unknown> =
  | StandardSchema<unknown, Output>
  | JsonSchema
  | Readonly<Record<string, unknown>>;

/**
 * Type of a valid value: inferred from zod and Standard Schemas, and from a JSON Schema written as a literal (`as
 * const`, or directly in the call). For any other schema, a plain record.
 */
export type InferOutput<Input> =
  Input extends StandardSchema<unknown, infer Output>
    ? Output
    : Input extends CompiledSchema<infer Output>
      ? Output
      : InferJsonSchema<Input> extends infer Output extends object
        ? Output
        : Record<string, unknown>;

/** Result for a value that fits. */
export interface ValidationSuccess<Output = unknown> {
  readonly ok: true;
  /** The value after coercions and the schema's own defaults and transforms. The input itself if nothing changed. */
  readonly value: Output;
  readonly issues: readonly Issue[];
  /** The changes that made the value fit; empty if it fitted unchanged. */
  readonly coercions: readonly Coercion[];
  /** Accepted keys that nearly match a declared key: code `unknown_key`, at most 20. Absent if all keys are known. */
  readonly advisories?: readonly Issue[];
}

/** Result for a value that does not fit, with all issues in document order. */
export interface ValidationFailure {
  readonly ok: false;
  readonly value?: undefined;
  readonly issues: readonly Issue[];
  /** Coercions that succeeded nevertheless. `issues` describe the value after them. */
  readonly coercions: readonly Coercion[];
}

/** Result of validating one value. */
export type ValidationResult<Output = unknown> = ValidationSuccess<Output> | ValidationFailure;

/** A schema that is compiled once and validates many values. */
export interface CompiledSchema<Output = unknown> {
  /**
   * The JSON Schema of accepted values, frozen, for showing it to a model. `true` if the library's schema offers no
   * JSON Schema. Derived on first access.
   */
  readonly jsonSchema: JsonSchema;
  /**
   * Validates a value; if that fails, coerces it and validates again. Never throws because of a value. Synchronous for
   * JSON Schema, zod and all schemas without asynchronous checks; returns a promise only for the others.
   */
  validate(value: unknown): ValidationResult<Output> | Promise<ValidationResult<Output>>;
  /**
   * Loads the compiled validator of a JSON Schema, which makes `validate` fast. Returns `undefined` if nothing is left
   * to load. Never rejects. `validate` gives the same results before, during and after.
   */
  ready(): Promise<void> | undefined;
}

/** Options of `compileSchema`. */
export interface CompileOptions {
  /**
   * Other names of keys. Nested keys are given by their path: `{ path: ['file', 'file_path'], 'edits[].old_text':
   * ['old_string'] }`.
   */
  readonly aliases?: KeyAliases;
  /**
   * How to handle undeclared keys of objects whose schema does not mention them. `strip` removes them, `keep` passes
   * them on, `refuse` reports them as issues. `z.strictObject`, `z.looseObject` and `additionalProperties` take
   * precedence. Default: the behavior of the library (zod strips, JSON Schema keeps).
   */
  readonly undeclaredKeys?: UndeclaredKeys;
  /** JSON Schema for a schema of a library that offers no JSON Schema (zod/mini, valibot). */
  readonly jsonSchema?: JsonSchema;
}
