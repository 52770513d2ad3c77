import { compileJsonSchema } from './compile-json-schema.ts';
import { compileVendorSchema } from './compile-vendor-schema.ts';
import type { CompiledSchema, CompileOptions, SchemaInput } from './compiled-schema.ts';
import { copySchema } from '../document/copy-schema.ts';
import type { JsonSchema } from '../json-schema.ts';
import { readSchema } from '../document/read-schema.ts';
import type { StandardSchema } from '../libraries/standard-schema.ts';
import { isStandardSchema } from '../libraries/standard-schema.ts';
import { isOldZodSchema, standardizeOldZod } from '../libraries/old-zod-schema.ts';

const byIdentity = new WeakMap<object, CompiledSchema>();
const byContent = new Map<string, CompiledSchema>();
const mostByContent = 1000;

/**
 * Compiles a zod schema, any Standard Schema, or a JSON Schema, so that values can be validated with the same issues
 * whichever it is. Loads neither zod nor ajv. Remembered by identity, JSON Schemas also by content, so that compiling an
 * equal schema again costs little and keeps nothing; options turn that off.
 *
 * Throws {@link SchemaError} when the schema itself cannot be used (see `schemaErrorCodes`), never later.
 */
export function compileSchema<Output = unknown>(
  input: SchemaInput<Output>,
  options?: CompileOptions,
): CompiledSchema<Output> {
  if (options?.aliases !== undefined || options?.jsonSchema !== undefined) {
    return compile(input, options) as CompiledSchema<Output>;
  }
  if ((typeof input !== 'object' && typeof input !== 'function') || input === null) {
    return compile(input, {}) as CompiledSchema<Output>;
  }
  let compiled = byIdentity.get(input);
  if (compiled === undefined) {
    const vendors = asStandardSchema(input);
    compiled = vendors === undefined ? compileByContent(input) : compileVendorSchema(vendors, {});
    byIdentity.set(input, compiled);
  }
  return compiled as CompiledSchema<Output>;
}

/** The JSON Schema of a schema of any kind: what a model is shown. Throws like {@link compileSchema}. */
export function schemaFor(input: SchemaInput): JsonSchema {
  return compileSchema(input).jsonSchema;
}

/** A schema of a library through the standard interface; `undefined` for a JSON Schema. */
function asStandardSchema(input: unknown): StandardSchema | undefined {
  if (isStandardSchema(input)) return input;
  return isOldZodSchema(input) ? standardizeOldZod(input) : undefined;
}

function compile(input: unknown, options: CompileOptions): CompiledSchema {
  const vendors = asStandardSchema(input);
  if (vendors !== undefined) return compileVendorSchema(vendors, options);
  return compileJsonSchema(readSchema(copySchema(input)), options.aliases);
}

function compileByContent(input: unknown): CompiledSchema {
  const root = copySchema(input);
  const text = JSON.stringify(root);
  let compiled = byContent.get(text);
  if (compiled === undefined) {
    compiled = compileJsonSchema(readSchema(root), undefined);
    const oldest = byContent.keys().next();
    if (byContent.size >= mostByContent && oldest.done !== true) byContent.delete(oldest.value);
  } else {
    // Put back at the end: what is used stays, the oldest goes first.
    byContent.delete(text);
  }
  byContent.set(text, compiled);
  return compiled;
}
