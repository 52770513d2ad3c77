import { copyData, isRecord, type PlainData } from '../../copy-data.ts';

/** A method of a tool, bound to the object that defined it. */
export type Method = (...parameters: readonly unknown[]) => unknown;

/** The schema of a tool's arguments or results. */
export type TakenSchema =
  | { readonly kind: 'plain'; readonly jsonSchema: PlainData }
  /** A compiled schema, by this or another copy of the schema package. It validates by itself. */
  | { readonly kind: 'compiled'; readonly jsonSchema: PlainData; readonly validate: Method; readonly ready: Method }
  /** A schema of zod or another library. */
  | { readonly kind: 'vendor'; readonly schema: object };

/** Snapshot of a plugin's tool. Each member was read once. */
export interface TakenTool {
  /** Plain data such as the name, the description and the traits. */
  readonly data: Readonly<Record<string, PlainData>>;
  readonly methods: Readonly<Partial<Record<ToolMethod, Method>>>;
  readonly input: TakenSchema | undefined;
  readonly output: TakenSchema | undefined;
  /** Names of unknown members, which may be misspelt. */
  readonly unknown: readonly string[];
}

/** Members of a tool that are functions. */
export type ToolMethod = (typeof toolMethods)[number];

export const toolMethods = ['available', 'footprint', 'check', 'initialTitle', 'onFailure', 'execute'] as const;
/** Members of a tool that are plain data. */
export const toolData = [
  'name',
  'description',
  'title',
  'kind',
  'traits',
  'parallelizable',
  'timeoutMs',
  'supportedModels',
  'supportsInputStreaming',
  'preference',
  'aliases',
] as const;
/** Members of a created tool that a plugin may not set. */
const ignored: ReadonlySet<string> = new Set(['naming', 'type', 'provider']);
const known: ReadonlySet<string> = new Set([...toolMethods, ...toolData, ...ignored, 'input', 'output']);
const maxMembers = 200;

/**
 * Reads a tool that a plugin exports. Reads each member once and copies data, so that getters and proxies can't change
 * it later. Returns a string that says why it is not a tool. The data is validated elsewhere.
 */
export function takeTool(candidate: unknown): TakenTool | string {
  if (!isRecord(candidate)) return 'it is not an object with name, description, input and execute';
  const names = Object.keys(candidate);
  if (names.length > maxMembers) return `it has more than ${maxMembers} members`;
  const data: Record<string, PlainData> = {};
  for (const name of toolData) {
    const value = candidate[name];
    const copy = value === undefined ? undefined : copyData(value);
    if (value !== undefined && copy === undefined) return `its ${name} is a ${typeof value}`;
    if (copy !== undefined) data[name] = copy;
  }
  const methods: Partial<Record<ToolMethod, Method>> = {};
  for (const name of toolMethods) {
    const value = candidate[name];
    if (typeof value === 'function') methods[name] = bind(value as Method, candidate);
    else if (value !== undefined) return `its ${name} must be a function`;
  }
  if ('input' in candidate && candidate['input'] === undefined)
    return 'its input is undefined: omit it if the tool takes no arguments';
  const input = takeSchema(candidate['input']);
  const output = takeSchema(candidate['output']);
  return { data, methods, input, output, unknown: names.filter((name) => !known.has(name)) };
}

function takeSchema(given: unknown): TakenSchema | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'function') return { kind: 'vendor', schema: given };
  if (!isRecord(given)) return { kind: 'plain', jsonSchema: copyData(given) ?? null };
  const { validate, ready } = given;
  if (typeof validate === 'function' && typeof ready === 'function') {
    const { jsonSchema } = given;
    return {
      kind: 'compiled',
      jsonSchema: jsonSchema === true ? {} : (copyData(jsonSchema) ?? null),
      validate: bind(validate as Method, given),
      ready: bind(ready as Method, given),
    };
  }
  return isVendorSchema(given) || isShape(given)
    ? { kind: 'vendor', schema: given }
    : { kind: 'plain', jsonSchema: copyData(given) ?? null };
}

function isVendorSchema(value: unknown): boolean {
  return isRecord(value) && ['~standard', '_zod', '_def'].some((mark) => mark in value);
}

/** Detects an object of schemas that is not wrapped in an object schema. `defineTool` explains how to wrap it. */
function isShape(given: Readonly<Record<string, unknown>>): boolean {
  const members = Object.values(given);
  return members.length > 0 && members.every(isVendorSchema);
}

function bind(method: Method, owner: object): Method {
  return (...parameters) => Reflect.apply(method, owner, parameters);
}
