import { compileSchema } from './compile-schema.ts';
import type { SchemaInput, ValidationResult } from './compiled-schema.ts';

/**
 * Validates the arguments of a call against a schema of any kind; compiles and caches the schema as needed. Absent
 * arguments (`undefined`, `null`, blank text) count as `{}`. Loads the compiled validator first.
 */
export async function validateArgs<Output = unknown>(
  args: unknown,
  schema: SchemaInput<Output>,
): Promise<ValidationResult<Output>> {
  const compiled = compileSchema(schema);
  await compiled.ready();
  const isAbsent = args === undefined || args === null || (typeof args === 'string' && args.trim() === '');
  return compiled.validate(isAbsent ? {} : args);
}
