import { type } from 'arktype';
import * as v from 'valibot';
import { expectTypeOf } from 'vitest';
import * as z from 'zod';
import type { CompiledSchema, InferOutput, SchemaInput, ValidationResult } from './index.ts';
import { compileSchema } from './index.ts';

const zodSchema = z.object({ path: z.string(), count: z.int().default(1) });
const valibotSchema = v.object({ path: v.string() });
const arkSchema = type({ path: 'string' });
const jsonSchema = { type: 'object', properties: { path: { type: 'string' } } };

expectTypeOf<InferOutput<typeof zodSchema>>().toEqualTypeOf<{ path: string; count: number }>();
expectTypeOf<InferOutput<typeof valibotSchema>>().toEqualTypeOf<{ path: string }>();
expectTypeOf<InferOutput<typeof arkSchema>>().toEqualTypeOf<{ path: string }>();
expectTypeOf<InferOutput<typeof jsonSchema>>().toEqualTypeOf<Record<string, unknown>>();

const literal = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    mode: { enum: ['read', 'write'] },
    limit: { type: ['integer', 'null'] },
    edits: {
      type: 'array',
      items: { type: 'object', properties: { line: { type: 'number' }, text: {} }, required: ['line'] },
    },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
    where: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    kind: { const: 'file' },
    anything: { $ref: '#/$defs/other' },
    list: { type: 'array' },
  },
  required: ['path', 'mode', 'edits'],
} as const;
expectTypeOf<InferOutput<typeof literal>>().toEqualTypeOf<{
  path: string;
  mode: 'read' | 'write';
  edits: { line: number; text?: unknown }[];
  limit?: number | null;
  tags?: Record<string, string>;
  where?: string | boolean;
  kind?: 'file';
  anything?: unknown;
  list?: unknown[];
}>();
const open = { type: 'object' } as const;
expectTypeOf<InferOutput<typeof open>>().toEqualTypeOf<Record<string, unknown>>();
const wide: SchemaInput = literal;
expectTypeOf<InferOutput<typeof wide>>().toEqualTypeOf<Record<string, unknown>>();

const compiled = compileSchema(zodSchema);
expectTypeOf<typeof compiled>().toEqualTypeOf<CompiledSchema<{ path: string; count: number }>>();
expectTypeOf<InferOutput<typeof compiled>>().toEqualTypeOf<{ path: string; count: number }>();
expectTypeOf<ReturnType<typeof compileSchema>>().toEqualTypeOf<CompiledSchema>();

const untyped = compileSchema(jsonSchema);
expectTypeOf<typeof untyped>().toEqualTypeOf<CompiledSchema>();

/** How a tool infers the type of its arguments. */
function defineLike<Output>(tool: { input: SchemaInput<Output>; execute: (args: Output) => unknown }): void {
  tool.execute satisfies unknown;
}
defineLike({ input: zodSchema, execute: ({ path, count }) => path.slice(count) });
defineLike({ input: arkSchema, execute: ({ path }) => path.length });

const result = {} as ValidationResult<{ path: string }>;
if (result.ok) expectTypeOf<typeof result.value>().toEqualTypeOf<{ path: string }>();
else expectTypeOf<typeof result.value>().toEqualTypeOf<undefined>();

// @ts-expect-error a number is no schema
compileSchema(5);
