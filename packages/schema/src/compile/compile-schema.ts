import { compileJsonSchema } from './compile-json-schema.ts';
import { compileVendorSchema } from './compile-vendor-schema.ts';
import type { CompiledSchema, CompileOptions, SchemaInput } from './compiled-schema.ts';
import { copySchema } from '../document/copy-schema.ts';
import type { JsonSchema } from '../json-schema.ts';
import { readSchema } from '../document/read-schema.ts';
import type { StandardSchema } from '../libraries/standard-schema.ts';
import { isStandardSchema } from '../libraries/standard-schema.ts';
import { closeSchema, type UndeclaredKeys } from '../keys/undeclared-keys.ts';
import { isOldZodSchema, standardizeOldZod } from '../libraries/old-zod-schema.ts';

const byIdentity: Readonly<Record<UndeclaredKeys | 'unset', WeakMap<object, CompiledSchema>>> = {
  unset: new WeakMap(),
  strip: new WeakMap(),
  keep: new WeakMap(),
  refuse: new WeakMap(),
};
const byContent = new Map<string, CompiledSchema>();
const maxByContent = 1000;

/**
 * Compiles zod, Standard Schema or JSON Schema into one validator that reports the same issues for all of them. Loads
 * neither zod nor ajv. Results are cached by identity, and for JSON Schemas also by content; options disable the cache.
 *
 * Throws {@link SchemaError} if the schema itself cannot be used (see `schemaErrorCodes`). Never throws later.
 *
 * @example
 * import { compileSchema } from '@haft/schema';
 * const order = compileSchema({ type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] });
 * const checked = await order.validate({ count: '3' });
 * checked.ok && checked.value; // => { count: 3 }
 */
export function compileSchema<Output = unknown>(
  input: SchemaInput<Output>,
  options?: CompileOptions,
): CompiledSchema<Output> {
  if (options?.aliases !== undefined || options?.jsonSchema !== undefined) {
    return compile(input, options) as CompiledSchema<Output>;
  }
  if ((typeof input !== 'object' && typeof input !== 'function') || input === null) {
    return compile(input, options ?? {}) as CompiledSchema<Output>;
  }
  const undeclaredKeys = options?.undeclaredKeys;
  const known = byIdentity[undeclaredKeys ?? 'unset'];
  let compiled = known.get(input);
  if (compiled === undefined) {
    const vendors = asStandardSchema(input);
    compiled =
      vendors === undefined
        ? compileByContent(input, undeclaredKeys)
        : compileVendorSchema(vendors, undeclaredKeys === undefined ? {} : { undeclaredKeys });
    known.set(input, compiled);
  }
  return compiled as CompiledSchema<Output>;
}

/** Returns the JSON Schema of a schema of any kind, as it is shown to a model. Throws like {@link compileSchema}. */
export function schemaFor(input: SchemaInput): JsonSchema {
  return compileSchema(input).jsonSchema;
}

/** Returns a library's schema through the standard interface, or `undefined` for a JSON Schema. */
function asStandardSchema(input: unknown): StandardSchema | undefined {
  if (isStandardSchema(input)) return input;
  return isOldZodSchema(input) ? standardizeOldZod(input) : undefined;
}

function compile(input: unknown, options: CompileOptions): CompiledSchema {
  const vendors = asStandardSchema(input);
  if (vendors !== undefined) return compileVendorSchema(vendors, options);
  return compileRoot(copySchema(input), options.aliases, options.undeclaredKeys);
}

function compileRoot(
  root: JsonSchema,
  aliases: CompileOptions['aliases'],
  undeclaredKeys: UndeclaredKeys | undefined,
): CompiledSchema {
  const document = readSchema(undeclaredKeys === 'refuse' ? closeSchema(root) : root);
  return compileJsonSchema(document, aliases, undeclaredKeys);
}

function compileByContent(input: unknown, undeclaredKeys: UndeclaredKeys | undefined): CompiledSchema {
  const root = copySchema(input);
  const text = (undeclaredKeys ?? '') + JSON.stringify(root);
  let compiled = byContent.get(text);
  if (compiled === undefined) {
    compiled = compileRoot(root, undefined, undeclaredKeys);
    const oldest = byContent.keys().next();
    if (byContent.size >= maxByContent && oldest.done !== true) byContent.delete(oldest.value);
  } else {
    // Moves the entry to the end: the least recently used entry is removed first.
    byContent.delete(text);
  }
  byContent.set(text, compiled);
  return compiled;
}
