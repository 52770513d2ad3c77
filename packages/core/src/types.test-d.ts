import { compileSchema, type StandardSchema } from '@haft/schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { expectTypeOf } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { eraseTool } from './define/index.ts';
import { defineTool, type AnyTool, type Tool } from './index.ts';

const base = { name: 't', description: 'd' } as const;

// Every kind of input schema types the arguments of all functions of a definition.
const zodTool = defineTool({
  ...base,
  input: z.object({ path: z.string(), count: z.number().default(1), tag: z.string().optional() }),
  footprint: ({ path }) => ({ reads: [path], writes: [] }),
  check: ({ count }) => (count > 0 ? [] : []),
  initialTitle: ({ path }) => path,
  onFailure: (_, { tag }) => expectTypeOf(tag).toEqualTypeOf<string | undefined>(),
  execute: (args) => {
    expectTypeOf(args).toEqualTypeOf<{ path: string; count: number; tag?: string | undefined }>();
  },
});
expectTypeOf(zodTool).toExtend<Tool<{ path: string; count: number; tag?: string | undefined }>>();

defineTool({
  ...base,
  input: z.object({ when: z.string().transform((text) => new Date(text)) }),
  execute: ({ when }) => expectTypeOf(when).toEqualTypeOf<Date>(),
});

defineTool({
  ...base,
  input: mini.object({ path: mini.string() }),
  execute: (args) => expectTypeOf(args).toEqualTypeOf<{ path: string }>(),
});

defineTool({
  ...base,
  input: v.object({ path: v.string(), count: v.optional(v.number(), 1) }),
  execute: (args) => expectTypeOf(args).toEqualTypeOf<{ path: string; count: number }>(),
});

defineTool({
  ...base,
  input: type({ path: 'string', 'count?': 'number' }),
  execute: (args) => expectTypeOf(args).toEqualTypeOf<{ path: string; count?: number }>(),
});

defineTool({
  ...base,
  input: {} as StandardSchema<unknown, { readonly path: string }>,
  execute: (args) => expectTypeOf(args).toEqualTypeOf<{ readonly path: string }>(),
});

defineTool({
  ...base,
  input: compileSchema(z.object({ path: z.string() })) as unknown as StandardSchema<unknown, { path: string }>,
  execute: (args) => expectTypeOf(args).toEqualTypeOf<{ path: string }>(),
});

// A JSON Schema written inline is a literal.
defineTool({
  ...base,
  input: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      mode: { enum: ['a', 'b'] },
      lines: { type: 'array', items: { type: 'integer' } },
    },
    required: ['path'],
  },
  execute: (args) => expectTypeOf(args).toEqualTypeOf<{ path: string; mode?: 'a' | 'b'; lines?: number[] }>(),
});

// A JSON Schema of a general type gives the arguments no types.
declare const fromElsewhere: Record<string, unknown>;
defineTool({
  ...base,
  input: fromElsewhere,
  execute: (args) => expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>(),
});

// Without an input, the arguments are empty.
const nothing = defineTool({
  ...base,
  execute: (args) => expectTypeOf(args).toEqualTypeOf<Readonly<Record<string, never>>>(),
});

// The output schema types the value to render.
defineTool({
  ...base,
  input: z.object({ query: z.string() }),
  output: z.object({ hits: z.array(z.string()) }),
  renderModel: (output, args) => {
    expectTypeOf(output).toEqualTypeOf<{ hits: string[] }>();
    expectTypeOf(args).toEqualTypeOf<{ query: string }>();
    return output.hits.join('\n');
  },
  execute: () => ({ hits: [] }),
});
defineTool({
  ...base,
  renderModel: (output) => {
    expectTypeOf(output).toEqualTypeOf<unknown>();
    return '';
  },
  execute: () => ({ hits: [] }),
});

// Tools with different argument types fit in one list after type erasure.
expectTypeOf(eraseTool(zodTool)).toEqualTypeOf<AnyTool>();
expectTypeOf([eraseTool(zodTool), eraseTool(nothing)]).toEqualTypeOf<AnyTool[]>();
expectTypeOf<AnyTool>().toEqualTypeOf<Tool>();

// Descriptions may depend on the model that reads them.
defineTool({
  name: 't',
  description: ({ model, has }) => `${model?.name ?? 'any'} ${has('read')}`,
  execute: () => undefined,
});

// @ts-expect-error a body is needed
defineTool({ ...base });
// @ts-expect-error a description is needed
defineTool({ name: 't', execute: () => undefined });
// @ts-expect-error no such kind
defineTool({ ...base, kind: 'reading', execute: () => undefined });
defineTool({
  ...base,
  input: z.object({ path: z.string() }),
  // @ts-expect-error no such argument
  execute: ({ paths }) => paths,
});
