import { defineTool, describeCause, eraseTool, type AnyTool } from '@haft/core';
import { copyData } from './copy-data.ts';
import type { PlainTool } from './define-plugin.ts';

type CompiledSchema = AnyTool['input'];
type Method = (...parameters: readonly unknown[]) => unknown;
type Members = Readonly<Record<string, unknown>>;

const maxDescriptionBytes = 16 * 1024;
const maxSchemaBytes = 64 * 1024;
const maxMembers = 200;

/** Members of a tool that are plain data, with what they must be; the rest is checked by `defineTool`. */
const data: Readonly<Record<string, readonly [isRight: (value: unknown) => boolean, expected: string]>> = {
  title: [isText, 'a string'],
  traits: [isRecord, 'an object such as { readOnly: true }'],
  parallelizable: [isFlag, 'true or false'],
  timeoutMs: [Number.isFinite, 'a number of milliseconds'],
  supportedModels: [isTextList, 'a list of strings'],
  supportsInputStreaming: [isFlag, 'true or false'],
  preference: [isRecord, 'an object'],
  aliases: [(value) => isRecord(value) && Object.values(value).every(isTextList), 'an object of lists of strings'],
};
const sideEffects: readonly string[] = ['none', 'read', 'write', 'external'];
const methods = ['available', 'footprint', 'check', 'initialTitle', 'onFailure', 'execute'];
/** What a tool that is made says of itself, and a plugin's has no say in. */
const ignored: readonly string[] = ['naming', 'type', 'provider'];
const members: readonly string[] = ['name', 'description', 'input', 'output', 'kind', ...Object.keys(data), ...methods];

/**
 * Makes a tool of what a plugin exports as one, or says why it is none. Every member is read once and copied: what was
 * checked is what is registered, whatever getters and proxies the plugin has. A tool that another copy of core made is told by its shape.
 */
export function readTool(candidate: unknown): AnyTool | string {
  try {
    if (!isRecord(candidate)) return 'no tool; expected an object with name, description, input and execute';
    return makeTool(candidate, takeMembers(candidate));
  } catch (error) {
    return describeCause(error);
  }
}

/** Each member of the candidate, read once. Those that `defineTool` does not know are kept by name, for its advice on slips. */
function takeMembers(candidate: Members): Members {
  const names = new Set([...members, ...Object.keys(candidate)]);
  if (names.size > maxMembers) throw new Error(`it has more than ${maxMembers} members`);
  const taken = new Map<string, unknown>();
  for (const name of names) {
    if (ignored.includes(name)) continue;
    const value = members.includes(name) ? candidate[name] : null;
    if (value !== undefined) taken.set(name, value);
  }
  return Object.fromEntries(taken);
}

function makeTool(candidate: Members, taken: Members): AnyTool | string {
  const { name, description } = taken;
  if (typeof name !== 'string' || name.length > 64)
    return `the tool name ${typeof name === 'string' ? JSON.stringify(`${name.slice(0, 60)}…`) : typeof name} can't be used; expected one such as "get_weather"`;
  if (typeof description === 'string' && Buffer.byteLength(description) > maxDescriptionBytes)
    return `the description of ${name} is longer than ${maxDescriptionBytes} bytes`;
  const definition: Record<string, unknown> = { ...taken, naming: 'authored' };
  for (const [key, [isRight, expected]] of Object.entries(data)) {
    if (!(key in taken)) continue;
    const copy = copyData(taken[key]);
    if (!isRight(copy)) return `the tool ${name}: ${key} must be ${expected}`;
    definition[key] = copy;
  }
  const wrong = wrongTrait(definition['traits']);
  if (wrong !== undefined) return `the tool ${name}: traits.${wrong}`;
  for (const key of methods) {
    const method = taken[key];
    if (typeof method === 'function') definition[key] = bind(method as Method, candidate);
    else if (key in taken && key !== 'execute') return `the tool ${name}: ${key} must be a function`;
  }
  const [input, output] = [readSchema(taken['input']), readSchema(taken['output'])];
  definition['input'] = input.schema;
  if ('output' in taken) definition['output'] = output.schema;
  const made = eraseTool(defineTool(definition as unknown as PlainTool));
  return {
    ...made,
    input: settleSchema(made.input, input.compiled, name),
    output: made.output && settleSchema(made.output, output.compiled, name),
  };
}

/** A schema that was compiled elsewhere goes on checking; what it says of itself is taken down. */
function readSchema(given: unknown): { readonly schema: unknown; readonly compiled?: CompiledSchema } {
  if (!isRecord(given)) return { schema: given };
  const { validate, ready } = given;
  if (typeof validate !== 'function' || typeof ready !== 'function') return { schema: given };
  const { jsonSchema } = given;
  const compiled = {
    jsonSchema: true,
    validate: bind(validate as Method, given),
    ready: bind(ready as Method, given),
  } as CompiledSchema;
  return { schema: jsonSchema === true ? {} : copyData(jsonSchema), compiled };
}

function settleSchema(made: CompiledSchema, compiled: CompiledSchema | undefined, name: string): CompiledSchema {
  const jsonSchema = copyData(made.jsonSchema) as CompiledSchema['jsonSchema'];
  const bytes = Buffer.byteLength(JSON.stringify(jsonSchema));
  if (bytes > maxSchemaBytes)
    throw new Error(`a schema of the tool ${name} has ${bytes} bytes; at most ${maxSchemaBytes} are taken`);
  const checks = compiled ?? made;
  return { jsonSchema, validate: (value) => checks.validate(value), ready: () => checks.ready() };
}

const traits: Readonly<Record<string, readonly [isRight: (value: unknown) => boolean, expected: string]>> = {
  readOnly: [isFlag, 'true or false'],
  destructive: [isFlag, 'true or false'],
  idempotent: [isFlag, 'true or false'],
  openWorld: [isFlag, 'true or false'],
  pure: [isFlag, 'true or false'],
  sideEffects: [(value) => sideEffects.includes(value as string), `one of ${sideEffects.join(', ')}`],
  requires: [isTextList, 'a list of strings'],
};

function wrongTrait(given: unknown): string | undefined {
  if (!isRecord(given)) return undefined;
  for (const [key, [isRight, expected]] of Object.entries(traits))
    if (given[key] !== undefined && !isRight(given[key])) return `${key} must be ${expected}`;
  return undefined;
}

function bind(method: Method, owner: Members): Method {
  return (...parameters) => Reflect.apply(method, owner, parameters);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
