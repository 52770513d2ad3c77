import { isRecord } from '../json-value.ts';

/** A part of a schema that accepts no JSON value. */
export interface InexpressiblePart {
  /** Path of the part, such as `$.when` or `$.items[]`. */
  readonly path: string;
  /** The values that the part accepts, such as `a date`. */
  readonly accepts: string;
  /** The schema to use instead. */
  readonly instead: string;
}

/** A part of a library's schema, as far as this search reads it. */
interface Part {
  /** Kind in lower case, such as `date`. */
  readonly kind: string;
  /** Whether the library converts any input to this kind. */
  readonly isCoerced: boolean;
  /** The library's object, for recursive schemas. */
  readonly origin: object;
  readonly inner: readonly (readonly [step: string, part: unknown])[];
  /** Alternatives. At least one must be expressible. */
  readonly options: readonly unknown[];
}

/** Kinds without a JSON representation, and what to use instead. */
const inexpressible: Readonly<Record<string, readonly [accepts: string, instead: string]>> = {
  date: ['a Date', 'take a string, such as z.iso.datetime(), and convert it in execute'],
  map: ['a Map', 'take an object, such as z.record(z.string(), …)'],
  set: ['a Set', 'take an array, such as z.array(…)'],
  bigint: ['a BigInt', 'take a string of digits, such as z.string().regex(/^-?\\d+$/), and convert it in execute'],
  symbol: ['a symbol', 'take a string'],
  function: ['a function', 'take data and choose the function in execute'],
  promise: ['a promise', 'take the value itself'],
  file: ['a File', 'take a path or a base64 string'],
  blob: ['a Blob', 'take a path or a base64 string'],
  nan: ['NaN', 'leave it out'],
  custom: ['values that only its own function can check', 'take a schema of data, and check it further with refine'],
  instance: ['instances of a class', 'take a schema of its data, and create the instance in execute'],
};

const maxDepth = 32;

/**
 * Finds a part of a zod or valibot schema that no JSON value satisfies, so that every call of a model would fail.
 * Returns undefined if every part can be satisfied, and for other libraries.
 *
 * @example
 * import { findInexpressible } from '@haft/schema';
 * import { z } from 'zod';
 * findInexpressible(z.object({ count: z.number() })); // => undefined
 * findInexpressible(z.object({ total: z.bigint() }))?.path; // => '$.total'
 */
export function findInexpressible(schema: unknown): InexpressiblePart | undefined {
  return search(schema, '$', new Set());
}

function search(schema: unknown, path: string, above: Set<object>): InexpressiblePart | undefined {
  const part = readPart(schema);
  if (part === undefined || above.has(part.origin) || above.size > maxDepth) return undefined;
  const found = Object.hasOwn(inexpressible, part.kind) ? inexpressible[part.kind] : undefined;
  if (found !== undefined) return part.isCoerced ? undefined : { path, accepts: found[0], instead: found[1] };
  above.add(part.origin);
  try {
    const options = part.options.map((option) => search(option, path, above));
    if (options.length > 0 && options.every((option) => option !== undefined)) return options[0];
    for (const [step, inner] of part.inner) {
      const problem = search(inner, path + step, above);
      if (problem !== undefined) return problem;
    }
    return undefined;
  } finally {
    above.delete(part.origin);
  }
}

function readPart(schema: unknown): Part | undefined {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return undefined;
  const { _zod, _def, type } = schema as Readonly<Record<string, unknown>>;
  if (isRecord(_zod) && isRecord(_zod['def'])) return readZod(schema, _zod['def']);
  if (isRecord(_def) && typeof _def['typeName'] === 'string') return readZod3(schema, _def);
  return typeof type === 'string' && '~standard' in schema ? readValibot(schema, type) : undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** Metadata that says nothing about the allowed values. */
const annotations = new Set(['id', 'title', 'description', 'examples', 'deprecated']);

function readZod(schema: object, def: Members): Part {
  const kind = String(def['type']);
  const given = def['in'];
  const isPrepared = kind === 'pipe' && readPart(given)?.kind === 'transform';
  return {
    kind,
    // A custom schema with a JSON Schema in its metadata tells the model what to send.
    isCoerced: def['coerce'] === true || (kind === 'custom' && saysMore(schema)),
    origin: schema,
    inner: isPrepared
      ? []
      : [
          ...fields(def['shape']),
          ['', def['innerType']],
          ['', given],
          ['', kind === 'lazy' ? call(def['getter']) : undefined],
          ['[]', def['element']],
          ...items(def['items']),
          ['[]', def['rest']],
          ['.*', def['valueType']],
          ['', def['left']],
          ['', def['right']],
        ],
    options: list(def['options']),
  };
}

function saysMore(schema: object): boolean {
  const meta: unknown = 'meta' in schema ? call(schema.meta, schema) : undefined;
  return isRecord(meta) && Object.keys(meta).some((key) => !annotations.has(key));
}

function readZod3(schema: object, def: Members): Part {
  const kind = String(def['typeName']).slice('Zod'.length).toLowerCase();
  const isPrepared = isRecord(def['effect']) && def['effect']['type'] === 'preprocess';
  return {
    kind,
    isCoerced: def['coerce'] === true,
    origin: schema,
    inner: isPrepared
      ? []
      : [
          ...fields(call(def['shape'])),
          ['', def['innerType']],
          ['', def['schema']],
          ['', def['in']],
          ['', kind === 'lazy' ? call(def['getter']) : undefined],
          [kind === 'array' ? '[]' : '', def['type']],
          ...items(def['items']),
          ['.*', def['valueType']],
          ['', def['left']],
          ['', def['right']],
        ],
    options: list(def['options']),
  };
}

function readValibot(schema: Members, type: string): Part {
  const isChoice = type === 'union' || type === 'variant';
  return {
    kind: type,
    isCoerced: false,
    origin: schema,
    inner: [
      ...fields(schema['entries']),
      ['', schema['wrapped']],
      ['[]', schema['item']],
      ...items(schema['items']),
      ['[]', schema['rest']],
      ['.*', schema['value']],
      ...(isChoice ? [] : list(schema['options']).map((option) => ['', option] as const)),
    ],
    options: isChoice ? list(schema['options']) : [],
  };
}

function fields(shape: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(shape) ? Object.keys(shape).map((key) => [`.${key}`, shape[key]] as const) : [];
}

function items(given: unknown): readonly (readonly [string, unknown])[] {
  return list(given).map((item, index) => [`[${index}]`, item] as const);
}

/** Options are an array or, for a discriminated union of zod 3, a map. */
function list(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given as readonly unknown[];
  return given instanceof Map ? [...(given.values() as Iterable<unknown>)] : [];
}

function call(given: unknown, on?: object): unknown {
  try {
    return typeof given === 'function' ? (given as () => unknown).call(on) : undefined;
  } catch {
    return undefined;
  }
}
