import { defineTool, type AnyTool } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { describeCause } from '@haft/core/results';
import type { PlainData } from '../../copy-data.ts';
import { copyData, isRecord } from '../../copy-data.ts';
import type { PlainTool } from './define-plugin.ts';
import type { TakenSchema, TakenTool } from './take-defined-tool.ts';

type CompiledSchema = AnyTool['input'];

const maxDescriptionBytes = 16 * 1024;
const maxSchemaBytes = 64 * 1024;
const sideEffects: readonly unknown[] = ['none', 'read', 'write', 'external'];

type Expectation = readonly [isRight: (value: unknown) => boolean, expected: string];
const flag: Expectation = [(value) => typeof value === 'boolean', 'true or false'];

/** Required types of members that `defineTool` does not check itself. */
const members: Readonly<Record<string, Expectation>> = {
  title: [isText, 'a string'],
  traits: [isRecord, 'an object such as { readOnly: true }'],
  parallelizable: flag,
  timeoutMs: [Number.isFinite, 'a number of milliseconds'],
  supportedModels: [isTextList, 'an array of strings'],
  supportsInputStreaming: flag,
  preference: [isRecord, 'an object'],
  aliases: [(value) => isRecord(value) && Object.values(value).every(isTextList), 'an object of arrays of strings'],
};
const traits: Readonly<Record<string, Expectation>> = {
  readOnly: flag,
  destructive: flag,
  idempotent: [(value) => typeof value === 'boolean' || value === 'by-key', "true, false or 'by-key'"],
  openWorld: flag,
  pure: flag,
  sideEffects: [(value) => sideEffects.includes(value), `one of ${sideEffects.join(', ')}`],
  requires: [isTextList, 'an array of strings'],
};

/** Creates a tool from an untrusted definition. Returns a string that says why it is invalid. */
export function createPluginTool(taken: TakenTool): AnyTool | string {
  try {
    return findFault(taken) ?? make(taken);
  } catch (error) {
    return describeCause(error);
  }
}

function findFault({ data, input }: TakenTool): string | undefined {
  const { name, description } = data;
  if (typeof name !== 'string') return `the tool name must be a string such as "get_weather"`;
  if (name.length > 64)
    return `the tool name ${JSON.stringify(`${name.slice(0, 60)}…`)} is not valid (expected one such as "get_weather")`;
  if (typeof description === 'string' && Buffer.byteLength(description) > maxDescriptionBytes)
    return `the description of ${name} is longer than ${maxDescriptionBytes} bytes`;
  if (input?.kind === 'plain' && isNoSchema(input.jsonSchema))
    return `the input of the tool ${name} is not a JSON Schema (expected one such as { type: "object", properties: { text: { type: "string" } } })`;
  const wrong = findWrong(data, members) ?? findWrong(data['traits'], traits, 'traits.');
  return wrong === undefined ? undefined : `the tool ${name}: ${wrong}`;
}

function findWrong(
  given: unknown,
  expectations: Readonly<Record<string, Expectation>>,
  prefix = '',
): string | undefined {
  if (!isRecord(given)) return undefined;
  for (const [key, [isRight, expected]] of Object.entries(expectations))
    if (given[key] !== undefined && !isRight(given[key])) return `${prefix}${key} must be ${expected}`;
  return undefined;
}

/** A schema with field names instead of keywords would accept every value. */
function isNoSchema(given: unknown): boolean {
  if (!isRecord(given)) return false;
  const names = Object.keys(given);
  return names.length > 0 && !names.some((name) => keywords.has(name) || name.startsWith('$') || name.startsWith('x-'));
}

/** JSON Schema keywords that are a schema on their own. */
const keywords: ReadonlySet<string> = new Set(
  'type properties required additionalProperties patternProperties propertyNames minProperties maxProperties anyOf oneOf allOf not if then else enum const definitions title description default examples dependentRequired dependentSchemas unevaluatedProperties'.split(
    ' ',
  ),
);

function make({ data, methods, input, output, unknown }: TakenTool): AnyTool {
  const definition = {
    ...Object.fromEntries(unknown.map((name) => [name, null])),
    ...data,
    ...methods,
    ...(input && { input: schemaOf(input) }),
    ...(output && { output: schemaOf(output) }),
    naming: 'authored',
  };
  const made = eraseTool(defineTool(definition as unknown as PlainTool));
  return {
    ...made,
    input: settleSchema(made.input, input, made.name),
    output: made.output && settleSchema(made.output, output, made.name),
  };
}

function schemaOf(taken: TakenSchema | undefined): unknown {
  return taken?.kind === 'vendor' ? taken.schema : taken?.jsonSchema;
}

/** Stores the description of the schema itself. A schema compiled by another library still validates. */
function settleSchema(made: CompiledSchema, taken: TakenSchema | undefined, name: string): CompiledSchema {
  const jsonSchema = copyData(made.jsonSchema) as Exclude<PlainData, string | number | null>;
  const bytes = Buffer.byteLength(JSON.stringify(jsonSchema));
  if (bytes > maxSchemaBytes)
    throw new Error(`a schema of the tool ${name} has ${bytes} bytes; at most ${maxSchemaBytes} are allowed`);
  const checks = taken?.kind === 'compiled' ? (taken as unknown as CompiledSchema) : made;
  return {
    jsonSchema: jsonSchema as CompiledSchema['jsonSchema'],
    validate: (value) => checks.validate(value),
    ready: () => checks.ready(),
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}
