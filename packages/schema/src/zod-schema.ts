import type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts';

interface ZodResult<Output> {
  readonly success: boolean;
  readonly data?: Output;
  readonly error?: { readonly issues: readonly StandardIssue[] };
}

interface ZodSchema<Output> {
  readonly _zod: object;
  safeParse(value: unknown): ZodResult<Output>;
}

/**
 * A direct way into a zod 4 schema, told by its shape and never by importing zod; `undefined` for anything else.
 * A schema with asynchronous checks is found out by its first refusal to run at once, and run by its standard interface from then on.
 */
export function createZodRunner<Output>(
  schema: StandardSchema<unknown, Output>,
): ((value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>) | undefined {
  if (!isZodSchema<Output>(schema)) return undefined;
  let isAsync = false;
  return (value) => {
    if (!isAsync) {
      try {
        const result = schema.safeParse(value);
        if (result.success) return { value: result.data as Output };
        return { issues: result.error?.issues ?? [] };
      } catch (error) {
        if (!isZodAsyncError(error)) throw error;
        isAsync = true;
      }
    }
    return schema['~standard'].validate(value);
  };
}

function isZodSchema<Output>(schema: object): schema is ZodSchema<Output> & StandardSchema<unknown, Output> {
  return '_zod' in schema && 'safeParse' in schema && typeof schema.safeParse === 'function';
}

function isZodAsyncError(error: unknown): boolean {
  return error instanceof Error && error.constructor.name.endsWith('AsyncError');
}
