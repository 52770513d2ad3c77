import { coerceBySchema } from '@ai-sdk-tool/parser/schema-coerce';
import { repairJson } from '@haft/repair';
import { compileSchema } from '@haft/schema';
import { Ajv } from 'ajv';
import { jsonrepair } from 'jsonrepair';
import { Value } from 'typebox/value';

import { versionOf } from '../version-of.ts';
import type { ObjectPart } from '@haft-tooling/corpora/near-misses';
import { toJsonSchema, toTypebox, toZod } from '@haft-tooling/corpora/near-misses';

/** The outcome for arguments: a value, or undefined if they were refused. */
export type Reading = { readonly value: unknown } | undefined;

/** Reads arguments of one tool. */
type ReadArguments = (text: string) => Reading;

/** A reader of models' arguments, prepared for a tool. */
export interface Reader {
  readonly name: string;
  prepare(tool: ObjectPart): Promise<ReadArguments> | ReadArguments;
}

const zod = `zod ${versionOf('zod')}`;
const ajv = `ajv ${versionOf('ajv')}`;

/** Haft first, in both its modes; then the usual validators of tool calls. */
export const readers: readonly Reader[] = [
  { name: 'Haft', prepare: (tool) => prepareHaft(tool, toJsonSchema(tool)) },
  { name: 'Haft, zod schemas', prepare: (tool) => prepareHaft(tool, toZod(tool)) },
  { name: ajv, prepare: (tool) => prepareAjv(tool, {}) },
  { name: `${ajv}: coerceTypes`, prepare: (tool) => prepareAjv(tool, { coerceTypes: true }) },
  { name: `${ajv}: coerceTypes "array"`, prepare: (tool) => prepareAjv(tool, { coerceTypes: 'array' }) },
  { name: zod, prepare: (tool) => prepareZod(tool, false) },
  { name: `${zod}: z.coerce`, prepare: (tool) => prepareZod(tool, true) },
  { name: `typebox ${versionOf('typebox')}: Convert, Check`, prepare: prepareTypebox },
  { name: `@ai-sdk-tool/parser ${versionOf('@ai-sdk-tool/parser')}: coerceBySchema, ajv`, prepare: prepareCoercion },
];

async function prepareHaft(tool: ObjectPart, input: Parameters<typeof compileSchema>[0]): Promise<ReadArguments> {
  const schema = compileSchema(input);
  await schema.ready();
  const jsonSchema = toJsonSchema(tool);
  return (text) => {
    const repaired = repairJson(text, { schema: jsonSchema, root: 'object' });
    if (!repaired.ok) return undefined;
    const result = schema.validate(repaired.value);
    if (result instanceof Promise) throw new Error('the result must be synchronous');
    return result.ok ? { value: result.value } : undefined;
  };
}

/** The text as JSON; if it is invalid, repaired by the most popular library. */
function parse(text: string): Reading {
  try {
    return { value: JSON.parse(text) };
  } catch {
    try {
      return { value: JSON.parse(jsonrepair(text)) };
    } catch {
      return undefined;
    }
  }
}

function prepareAjv(tool: ObjectPart, options: { readonly coerceTypes?: boolean | 'array' }): ReadArguments {
  const validate = new Ajv({ strict: false, ...options }).compile(toJsonSchema(tool));
  return (text) => {
    const parsed = parse(text);
    // The validator changes the value in place.
    return parsed !== undefined && validate(parsed.value) ? parsed : undefined;
  };
}

function prepareZod(tool: ObjectPart, isCoercing: boolean): ReadArguments {
  const schema = toZod(tool, isCoercing);
  return (text) => {
    const parsed = parse(text);
    const result = parsed === undefined ? undefined : schema.safeParse(parsed.value);
    return result?.success === true ? { value: result.data } : undefined;
  };
}

function prepareTypebox(tool: ObjectPart): ReadArguments {
  const schema = toTypebox(tool);
  return (text) => {
    const parsed = parse(text);
    if (parsed === undefined) return undefined;
    const value = Value.Convert(schema, parsed.value);
    return Value.Check(schema, value) ? { value } : undefined;
  };
}

function prepareCoercion(tool: ObjectPart): ReadArguments {
  const schema = toJsonSchema(tool);
  const validate = new Ajv({ strict: false }).compile(schema);
  return (text) => {
    const parsed = parse(text);
    if (parsed === undefined) return undefined;
    const value = coerceBySchema(parsed.value, schema);
    return validate(value) ? { value } : undefined;
  };
}
