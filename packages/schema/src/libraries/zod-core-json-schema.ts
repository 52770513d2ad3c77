import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import { setOwn } from '../json-value.ts';
import { convertRecursively } from './convert-recursively.ts';
import { joinSchemas, withoutLooseBounds } from './join-schemas.ts';

type Definition = Readonly<Record<string, unknown>>;

/** A schema or check of zod 4 or zod/mini, with the members that Haft reads. */
interface ZodPart {
  readonly _zod: { readonly def: Definition; readonly optin?: string; readonly values?: ReadonlySet<unknown> };
}

type Convert = (part: ZodPart) => JsonSchemaObject;

/** JSON Schema's names of formats; unlisted formats have the same name, or no equivalent. */
const formatNames: Readonly<Record<string, string | undefined>> = {
  guid: 'uuid',
  url: 'uri',
  datetime: 'date-time',
  // A time without a zone is not a JSON Schema `time`.
  time: undefined,
  regex: undefined,
};

/** Whether a value is a schema of zod 4 or zod/mini, judging by its shape. */
export function isZodPart(value: unknown): value is ZodPart {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || !('_zod' in value)) return false;
  const inner = value._zod;
  return typeof inner === 'object' && inner !== null && 'def' in inner && typeof inner.def === 'object';
}

/**
 * Derives the JSON Schema of a zod 4 schema's input from its definition: for zod/mini, whose schemas offer none. Equals
 * zod's own `toJSONSchema` for schemas that tools use. Parts that JSON Schema cannot express (dates, maps, user
 * functions) accept any value.
 */
export function zodCoreJsonSchema(schema: ZodPart): JsonSchemaObject {
  return convertRecursively(schema, (part, inner) => ({ ...convertPart(part, inner), ...describe(part) }));
}

function convertPart(part: ZodPart, inner: Convert): JsonSchemaObject {
  const { def } = part._zod;
  const convert = Object.hasOwn(converters, String(def['type'])) ? converters[String(def['type'])] : undefined;
  return convert?.(part, inner) ?? {};
}

const passOn = (part: ZodPart, inner: Convert): JsonSchemaObject => inner(part._zod.def['innerType'] as ZodPart);

const converters: Readonly<Record<string, (part: ZodPart, inner: Convert) => JsonSchemaObject>> = {
  string: convertString,
  number: convertNumber,
  boolean: () => ({ type: 'boolean' }),
  null: () => ({ type: 'null' }),
  never: () => ({ not: {} }),
  enum: ({ _zod }) => listed(enumValues(_zod.def['entries'] as Definition)),
  literal: ({ _zod }) => listed((_zod.def['values'] as readonly unknown[]).filter((value) => value !== undefined)),
  array: (part, inner) => ({
    type: 'array',
    items: inner(part._zod.def['element'] as ZodPart),
    ...lengths(part, 'minItems', 'maxItems'),
  }),
  tuple: convertTuple,
  object: convertObject,
  record: convertRecord,
  union: ({ _zod }, inner) => {
    const branches = (_zod.def['options'] as readonly ZodPart[]).map(inner);
    return _zod.def['inclusive'] === false ? { oneOf: branches } : joinSchemas(branches);
  },
  intersection: ({ _zod }, inner) => ({
    allOf: [inner(_zod.def['left'] as ZodPart), inner(_zod.def['right'] as ZodPart)],
  }),
  nullable: (part, inner) => joinSchemas([passOn(part, inner), { type: 'null' }]),
  template_literal: (part) => ({
    type: 'string',
    pattern: (part._zod as unknown as { pattern: RegExp }).pattern.source,
  }),
  optional: passOn,
  nonoptional: passOn,
  readonly: (part, inner) => ({ ...passOn(part, inner), readOnly: true }),
  promise: passOn,
  lazy: ({ _zod }, inner) => inner((_zod.def['getter'] as () => ZodPart)()),
  default: (part, inner) => ({ ...passOn(part, inner), default: plain(part._zod.def['defaultValue']) }),
  prefault: (part, inner) => ({ ...passOn(part, inner), default: plain(part._zod.def['defaultValue']) }),
  catch: passOn,
  pipe: ({ _zod }, inner) => {
    const given = _zod.def['in'] as ZodPart;
    return inner(given._zod.def['type'] === 'transform' ? (_zod.def['out'] as ZodPart) : given);
  },
};

/** Returns the definitions of a schema's checks. A format comes first, as a check of itself. */
function checksOf({ _zod: { def } }: ZodPart): readonly Definition[] {
  const checks = ((def['checks'] ?? []) as readonly ZodPart[]).map((check) => check._zod.def);
  return def['check'] === undefined ? checks : [def, ...checks];
}

function convertString(part: ZodPart): JsonSchemaObject {
  const schema: Record<string, unknown> = { type: 'string', ...lengths(part, 'minLength', 'maxLength') };
  const patterns = new Set<string>();
  for (const { check, format, pattern, local, precision } of checksOf(part)) {
    if (check !== 'string_format') continue;
    const name = Object.hasOwn(formatNames, String(format)) ? formatNames[String(format)] : format;
    // Date-times without zone or seconds are not valid in JSON Schema.
    if (name !== undefined && local !== true && precision !== -1) schema['format'] = name;
    if (pattern instanceof RegExp) patterns.add(pattern.source);
  }
  const [first, ...others] = patterns;
  if (others.length > 0) schema['allOf'] = [...patterns].map((pattern) => ({ pattern }));
  else if (first !== undefined) schema['pattern'] = first;
  return schema;
}

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  safeint: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
};

function convertNumber(part: ZodPart): JsonSchemaObject {
  const schema: Record<string, unknown> = { type: 'number' };
  const atLeast = (keyword: string, value: unknown): void => {
    schema[keyword] = Math.max(Number(value), Number(schema[keyword] ?? -Infinity));
  };
  const atMost = (keyword: string, value: unknown): void => {
    schema[keyword] = Math.min(Number(value), Number(schema[keyword] ?? Infinity));
  };
  for (const { check, format, value, inclusive } of checksOf(part)) {
    if (check === 'greater_than') atLeast(inclusive === true ? 'minimum' : 'exclusiveMinimum', value);
    else if (check === 'less_than') atMost(inclusive === true ? 'maximum' : 'exclusiveMaximum', value);
    else if (check === 'multiple_of' && schema['multipleOf'] === undefined)
      schema['multipleOf'] = Math.abs(Number(value));
    else if (check === 'number_format' && Object.hasOwn(ranges, String(format))) {
      const [least, most] = ranges[String(format)] as readonly [number, number];
      schema['type'] = 'integer';
      atLeast('minimum', least);
      atMost('maximum', most);
    }
  }
  return withoutLooseBounds(schema);
}

function lengths(part: ZodPart, least: string, most: string): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { check, minimum, maximum, length } of checksOf(part)) {
    if (check === 'min_length' || check === 'length_equals') {
      found[least] = Math.max(Number(minimum ?? length), found[least] ?? 0);
    }
    if (check === 'max_length' || check === 'length_equals') {
      found[most] = Math.min(Number(maximum ?? length), found[most] ?? Infinity);
    }
  }
  return found;
}

/** Whether a key or item is declared as optional. A transform or catch accepts a missing value without declaring it. */
function isOptional(part: ZodPart): boolean {
  const { def, optin } = part._zod;
  if (def['type'] === 'catch') return isOptional(def['innerType'] as ZodPart);
  if (def['type'] === 'pipe' && (def['in'] as ZodPart)._zod.def['type'] === 'transform') {
    return isOptional(def['out'] as ZodPart);
  }
  return optin !== undefined;
}

function convertObject({ _zod: { def } }: ZodPart, inner: Convert): JsonSchemaObject {
  const shape = def['shape'] as Readonly<Record<string, ZodPart>>;
  const properties: Record<string, JsonSchema> = {};
  for (const key of Object.keys(shape)) setOwn(properties, key, inner(shape[key] as ZodPart));
  const required = Object.keys(shape).filter((key) => !isOptional(shape[key] as ZodPart));
  const rest = def['catchall'] as ZodPart | undefined;
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(rest === undefined ? {} : { additionalProperties: rest._zod.def['type'] === 'never' ? false : inner(rest) }),
  };
}

function convertTuple(part: ZodPart, inner: Convert): JsonSchemaObject {
  const items = part._zod.def['items'] as readonly ZodPart[];
  const rest = part._zod.def['rest'] as ZodPart | null;
  let least = items.length;
  while (least > 0 && isOptional(items[least - 1] as ZodPart)) least -= 1;
  return {
    type: 'array',
    prefixItems: items.map(inner),
    items: rest === null ? false : inner(rest),
    ...(least > 0 ? { minItems: least } : {}),
    ...(rest === null ? { maxItems: items.length } : {}),
    ...lengths(part, 'minItems', 'maxItems'),
  };
}

function convertRecord({ _zod: { def } }: ZodPart, inner: Convert): JsonSchemaObject {
  const [keys, values] = [def['keyType'] as ZodPart, def['valueType'] as ZodPart];
  const names = keys._zod.def['type'] === 'string' || keys._zod.def['type'] === 'enum' ? inner(keys) : {};
  const listedKeys = [...(keys._zod.values ?? [])].filter((key) => typeof key === 'string');
  const isWhole = listedKeys.length > 0 && def['partial'] !== true && !isOptional(values);
  return {
    type: 'object',
    propertyNames: names,
    additionalProperties: inner(values),
    ...(isWhole ? { required: listedKeys } : {}),
  };
}

function listed(values: readonly unknown[]): JsonSchemaObject {
  if (values.length === 0) return { not: {} };
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  const [type] = types;
  const typed = types.size === 1 ? { type: type as 'string' } : {};
  return values.length === 1 ? { ...typed, const: values[0] } : { ...typed, enum: values };
}

/** The values of an enum, without the reverse entries (number to name) that TypeScript adds to numeric enums. */
function enumValues(entries: Definition): readonly unknown[] {
  const numbers = new Set(Object.values(entries).filter((value) => typeof value === 'number'));
  return Object.entries(entries).flatMap(([key, value]) => (numbers.has(Number(key)) ? [] : [value]));
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null') as unknown;
}

/** Metadata of a schema in zod's registry, which all copies of zod share. */
function describe(part: ZodPart): JsonSchemaObject {
  const registry = (globalThis as { readonly __zod_globalRegistry?: { get?: (part: ZodPart) => unknown } })
    .__zod_globalRegistry;
  const said = registry?.get?.(part) as Readonly<Record<string, unknown>> | undefined;
  const { title, description } = said ?? {};
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
}
