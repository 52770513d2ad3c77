import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import { setOwn } from '../json-value.ts';
import { convertRecursively } from './convert-recursively.ts';
import { joinSchemas } from './join-schemas.ts';

type Definition = Readonly<Record<string, unknown>>;

/** A schema of zod 3, with the members that Haft reads. */
interface Zod3Schema {
  readonly _def: Definition & { readonly typeName: string };
  isOptional(): boolean;
}

interface Check {
  readonly kind: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly regex?: RegExp;
  readonly local?: boolean;
  readonly offset?: boolean;
  readonly version?: string;
}

type Convert = (schema: Zod3Schema) => JsonSchemaObject;

/** Whether a value is a schema of zod 3, judging by its shape. */
export function isZod3Schema(value: unknown): value is Zod3Schema {
  if (typeof value !== 'object' || value === null || !('_def' in value)) return false;
  const definition = value._def;
  return typeof definition === 'object' && definition !== null && 'typeName' in definition && !('_zod' in value);
}

/**
 * Derives the JSON Schema of a zod 3 schema's input from its definition, because zod 3 offers none. Equals the result
 * of zod 4 for the same schema. Parts that JSON Schema cannot express (dates, maps, user functions) accept any value.
 */
export function zod3JsonSchema(schema: Zod3Schema): JsonSchema {
  return convertRecursively(schema, (part, inner) => {
    const { typeName, description } = part._def;
    const convert = Object.hasOwn(converters, typeName) ? converters[typeName] : undefined;
    const said = typeof description === 'string' ? { description } : {};
    return { ...convert?.(part._def, inner), ...said };
  });
}

const passOn = (definition: Definition, inner: Convert): JsonSchemaObject =>
  inner(definition['innerType'] as Zod3Schema);

const converters: Readonly<Record<string, (definition: Definition, inner: Convert) => JsonSchemaObject>> = {
  ZodString: ({ checks }) => convertString(checks as readonly Check[]),
  ZodNumber: ({ checks }) => convertNumber(checks as readonly Check[]),
  ZodBoolean: () => ({ type: 'boolean' }),
  ZodNull: () => ({ type: 'null' }),
  ZodNever: () => ({ not: {} }),
  ZodLiteral: ({ value }) => literal([value]),
  ZodEnum: ({ values }) => ({ type: 'string', enum: values as readonly unknown[] }),
  ZodNativeEnum: ({ values }) => literal(enumValues(values as Definition), true),
  ZodArray: ({ type, minLength, maxLength, exactLength }, inner) => ({
    type: 'array',
    items: inner(type as Zod3Schema),
    ...lengthOf('minItems', minLength ?? exactLength),
    ...lengthOf('maxItems', maxLength ?? exactLength),
  }),
  ZodTuple: convertTuple,
  ZodObject: convertObject,
  ZodRecord: ({ keyType, valueType }, inner) => ({
    type: 'object',
    propertyNames: inner(keyType as Zod3Schema),
    additionalProperties: inner(valueType as Zod3Schema),
  }),
  ZodUnion: ({ options }, inner) => joinSchemas((options as readonly Zod3Schema[]).map(inner)),
  ZodDiscriminatedUnion: ({ options }, inner) => ({ oneOf: (options as readonly Zod3Schema[]).map(inner) }),
  ZodIntersection: ({ left, right }, inner) => ({ allOf: [inner(left as Zod3Schema), inner(right as Zod3Schema)] }),
  ZodNullable: (definition, inner) => joinSchemas([passOn(definition, inner), { type: 'null' }]),
  ZodOptional: passOn,
  ZodReadonly: passOn,
  ZodCatch: passOn,
  ZodBranded: ({ type }, inner) => inner(type as Zod3Schema),
  ZodPromise: ({ type }, inner) => inner(type as Zod3Schema),
  ZodDefault: (definition, inner) => ({
    ...passOn(definition, inner),
    default: JSON.parse(JSON.stringify((definition['defaultValue'] as () => unknown)()) ?? 'null') as unknown,
  }),
  ZodLazy: ({ getter }, inner) => inner((getter as () => Zod3Schema)()),
  ZodPipeline: (definition, inner) => inner(definition['in'] as Zod3Schema),
  // A refinement or transform accepts what its inner schema accepts. A preprocessing step may accept any value.
  ZodEffects: ({ schema, effect }, inner) =>
    (effect as { readonly type: string }).type === 'preprocess' ? {} : inner(schema as Zod3Schema),
};

const formats: Readonly<Record<string, string>> = {
  email: 'email',
  uuid: 'uuid',
  url: 'uri',
  date: 'date',
  duration: 'duration',
};

function convertString(checks: readonly Check[]): JsonSchemaObject {
  const schema: Record<string, unknown> = { type: 'string' };
  const patterns: string[] = [];
  for (const { kind, value, regex, local, version } of checks) {
    if (kind === 'min' || kind === 'length') schema['minLength'] = value;
    if (kind === 'max' || kind === 'length') schema['maxLength'] = value;
    if (Object.hasOwn(formats, kind)) schema['format'] = formats[kind];
    if (kind === 'datetime' && local !== true) schema['format'] = 'date-time';
    if (kind === 'ip' && version !== undefined) schema['format'] = `ip${version}`;
    if (kind === 'regex' && regex !== undefined) patterns.push(regex.source);
    const fixed = { startsWith: '^{}', endsWith: '{}$', includes: '{}' }[kind];
    if (fixed !== undefined) patterns.push(fixed.replace('{}', () => escapeText(String(value))));
  }
  if (patterns.length === 1) schema['pattern'] = patterns[0];
  if (patterns.length > 1) schema['allOf'] = patterns.map((pattern) => ({ pattern }));
  return schema;
}

function convertNumber(checks: readonly Check[]): JsonSchemaObject {
  const schema: Record<string, unknown> = { type: 'number' };
  for (const { kind, value, inclusive } of checks) {
    if (kind === 'int') schema['type'] = 'integer';
    if (kind === 'min') schema[inclusive === true ? 'minimum' : 'exclusiveMinimum'] = value;
    if (kind === 'max') schema[inclusive === true ? 'maximum' : 'exclusiveMaximum'] = value;
    if (kind === 'multipleOf') schema['multipleOf'] = value;
  }
  return schema;
}

function convertObject({ shape, unknownKeys, catchall }: Definition, inner: Convert): JsonSchemaObject {
  const members = (shape as () => Readonly<Record<string, Zod3Schema>>)();
  const properties: Record<string, JsonSchema> = {};
  for (const key of Object.keys(members)) setOwn(properties, key, inner(members[key] as Zod3Schema));
  const required = Object.keys(members).filter((key) => !isOptional(members[key] as Zod3Schema));
  const rest = catchall as Zod3Schema;
  const isTyped = rest._def.typeName !== 'ZodNever';
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(isTyped
      ? { additionalProperties: inner(rest) }
      : unknownKeys === 'strict'
        ? { additionalProperties: false }
        : {}),
  };
}

/** Whether a key is declared as optional. Preprocess and catch accept a missing value without declaring it. */
function isOptional(schema: Zod3Schema): boolean {
  const { typeName, innerType } = schema._def;
  if (typeName === 'ZodCatch') return isOptional(innerType as Zod3Schema);
  try {
    return schema.isOptional();
  } catch {
    return false;
  }
}

function convertTuple({ items, rest }: Definition, inner: Convert): JsonSchemaObject {
  const places = items as readonly Zod3Schema[];
  return {
    type: 'array',
    prefixItems: places.map(inner),
    items: rest === null ? false : inner(rest as Zod3Schema),
    minItems: places.length,
    ...(rest === null ? { maxItems: places.length } : {}),
  };
}

function lengthOf(keyword: string, length: unknown): JsonSchemaObject {
  return typeof length === 'object' && length !== null && 'value' in length ? { [keyword]: length.value } : {};
}

function literal(values: readonly unknown[], isEnum = false): JsonSchemaObject {
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  const [type] = types;
  const typed = types.size === 1 ? { type: type as 'string' } : {};
  return values.length === 1 && !isEnum ? { ...typed, const: values[0] } : { ...typed, enum: values };
}

/** The values of an enum, without the reverse entries (number to name) that TypeScript adds to numeric enums. */
function enumValues(entries: Definition): readonly unknown[] {
  const numbers = new Set(Object.values(entries).filter((value) => typeof value === 'number'));
  return Object.entries(entries).flatMap(([key, value]) => (numbers.has(Number(key)) ? [] : [value]));
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
