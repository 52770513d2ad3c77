import {
  compileSchema,
  findInexpressible,
  type CompiledSchema,
  type InferOutput,
  type JsonSchema,
  type SchemaInput,
  type StandardSchema,
  type UndeclaredKeys,
} from '@haft/schema';
import { checkSchemaSpelling } from '@haft/schema/spelling';
import { HaftError } from '../haft-error.ts';
import { withOutputMode } from './tool-output-modes.ts';

/** The input of a tool without arguments: an empty object. */
export type NoInput = StandardSchema<unknown, Readonly<Record<string, never>>>;

const noInput: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

/**
 * Compiles the input schema of a tool.
 * @throws HaftError `INVALID_TOOL` if the schema is invalid.
 */
export function compileInput<Input extends SchemaInput>(definition: {
  readonly name: string;
  readonly naming?: 'authored' | 'wire';
  readonly input?: Input;
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly outputModes?: boolean;
  readonly undeclaredKeys?: UndeclaredKeys;
}): CompiledSchema<InferOutput<Input>> {
  const { name, naming, input, aliases, outputModes, undeclaredKeys = 'strip' } = definition;
  try {
    const compiled =
      input === undefined
        ? compileNoInput(undeclaredKeys)
        : compileSchema(input, aliases === undefined ? { undeclaredKeys } : { aliases, undeclaredKeys });
    if (input !== undefined) checkExpressible(input, compiled.jsonSchema);
    // The schema of an external tool may have keywords of its own.
    if (naming !== 'wire' && !('~standard' in Object(input))) checkSchemaSpelling(compiled.jsonSchema);
    checkInputSchema(compiled.jsonSchema, Object.keys(aliases ?? {}));
    return (outputModes === true ? withOutputMode(compiled) : compiled) as CompiledSchema<InferOutput<Input>>;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HaftError('INVALID_TOOL', `the input schema of the tool ${name} is not usable: ${reason}`, { cause });
  }
}

/**
 * Shows the model a closed schema. Keys that the model sends anyway are treated like undeclared keys of other tools.
 */
function compileNoInput(undeclaredKeys: UndeclaredKeys): CompiledSchema {
  const closed = compileSchema(noInput);
  if (undeclaredKeys === 'refuse') return closed;
  return { ...compileSchema({ type: 'object', properties: {} }, { undeclaredKeys }), jsonSchema: closed.jsonSchema };
}

/**
 * Checks that JSON can express the arguments that a library's schema accepts, and that the schema tells a model what
 * they are. Throws a plain error with the reason.
 */
function checkExpressible(input: SchemaInput, schema: JsonSchema): void {
  const found = findInexpressible(input);
  if (found) throw new TypeError(`${found.path} accepts only ${found.accepts}, which JSON lacks: ${found.instead}`);
  const standard = '~standard' in Object(input) ? (input as StandardSchema)['~standard'] : undefined;
  const isEmpty = schema === true || (typeof schema === 'object' && Object.keys(schema).every(isAnnotation));
  if (standard === undefined || !isEmpty) return;
  const remedy =
    standard.vendor === 'valibot'
      ? 'wrap it in toStandardJsonSchema() of @valibot/to-json-schema'
      : 'use an object schema that offers a JSON Schema, or give a JSON Schema';
  throw new TypeError(`it offers no JSON Schema, so no model can learn its arguments: ${remedy}`);
}

function isAnnotation(keyword: string): boolean {
  return ['$schema', '$id', 'title', 'description', 'examples', 'deprecated'].includes(keyword);
}

/**
 * Checks that the root is an object and that every alias belongs to one of its keys. Throws a plain error with the
 * reason.
 */
function checkInputSchema(schema: JsonSchema, aliased: readonly string[]): void {
  if (typeof schema !== 'object') return;
  const { type, properties } = schema;
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) {
    throw new TypeError(`its root is not valid (expected the type object, got ${String(type)})`);
  }
  // A nested key is identified by its path, which only the schema can resolve.
  const stray = properties && aliased.find((key) => !Object.hasOwn(properties, key) && !declares(properties, key));
  if (stray !== undefined)
    throw new TypeError(`aliases contains ${JSON.stringify(stray)}, which the schema does not declare`);
  const forbidden = findForbidden(schema);
  if (forbidden !== undefined)
    throw new TypeError(
      `required contains ${JSON.stringify(forbidden)}, but properties lacks it and additionalProperties: false forbids it`,
    );
}

/** Finds a required key that the schema forbids, so that every call would fail. */
function findForbidden({
  properties = {},
  required,
  additionalProperties,
  patternProperties,
}: Exclude<JsonSchema, boolean>): unknown {
  if (additionalProperties !== false || patternProperties !== undefined || !Array.isArray(required)) return undefined;
  return required.find((key) => typeof key === 'string' && !Object.hasOwn(properties, key));
}

/** Checks whether the first key of a path such as `edits[].old_text` is declared. */
function declares(properties: object, path: string): boolean {
  const outermost = /^([^.[]+)[.[]/.exec(path)?.[1];
  return outermost !== undefined && Object.hasOwn(properties, outermost);
}
