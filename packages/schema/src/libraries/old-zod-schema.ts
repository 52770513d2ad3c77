import type { StandardResult, StandardSchema } from './standard-schema.ts';
import { isZod3Schema } from './zod3-json-schema.ts';

interface ZodAnswer {
  readonly success: boolean;
  readonly data?: unknown;
  readonly error?: Extract<StandardResult<unknown>, { readonly issues: object }>;
}

/** A schema of zod 3 before 3.24, which has zod's methods but not the standard interface. */
interface OldZodSchema {
  safeParse(value: unknown): ZodAnswer;
  safeParseAsync(value: unknown): Promise<ZodAnswer>;
}

/** Whether a value is a zod 3 schema without the standard interface, judging by its shape. */
export function isOldZodSchema(value: unknown): value is OldZodSchema {
  return isZod3Schema(value) && !('~standard' in value) && 'safeParse' in value && 'safeParseAsync' in value;
}

/** Adds the standard interface to an old zod schema. Its definition stays visible for deriving its JSON Schema. */
export function standardizeOldZod(schema: OldZodSchema): StandardSchema {
  const validate = (value: unknown): StandardResult<unknown> | Promise<StandardResult<unknown>> => {
    let answer: ZodAnswer;
    try {
      answer = schema.safeParse(value);
    } catch {
      // The schema has asynchronous checks, which the synchronous method refuses to run.
      return schema.safeParseAsync(value).then(toStandard);
    }
    return toStandard(answer);
  };
  const standard = Object.create(schema) as StandardSchema;
  return Object.defineProperty(standard, '~standard', { value: { version: 1, vendor: 'zod', validate } });
}

function toStandard({ success, data, error }: ZodAnswer): StandardResult<unknown> {
  return success ? { value: data } : { issues: error?.issues ?? [] };
}
