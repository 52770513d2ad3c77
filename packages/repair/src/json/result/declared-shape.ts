import type { JsonObject } from './json-value.ts';
import type { JsonSchema, RepairOptions } from './repair-options.ts';

/** The parts of a schema for one value that help to read characters. */
export interface Shape {
  /** The types that the value may have, in JSON Schema's terms. `undefined` allows any type. */
  readonly kinds: ReadonlySet<string> | undefined;
  /** Whether a string is among these types. */
  readonly takesText: boolean;
  /** Required keys. */
  readonly required: readonly string[];
  /** Declared keys, in order. */
  readonly keys: readonly string[];
  /** Whether keys are declared and all others are explicitly disallowed. */
  readonly isClosed: boolean;
  readonly hasMember: (key: string) => boolean;
  readonly member: (key: string) => Shape | undefined;
  readonly item: (index: number) => Shape | undefined;
}

type Keywords = Readonly<Record<string, unknown>>;

/** Combines several schemas for one value. */
interface Gathered {
  kinds: Set<string> | undefined;
  readonly required: string[];
  readonly members: Map<string, unknown[]>;
  readonly others: unknown[];
  readonly items: unknown[];
  readonly prefix: unknown[][];
  isOpen: boolean;
}

// Maximum depth to which recursive schemas and endless branches are followed.
const maxDepth = 32;
const maxVisits = 5_000;

const shapes = new WeakMap<object, Shape>();

/** Reads a schema lazily, and follows `$ref` only within it. Later changes of the schema have no effect. */
export function createShape(schema: JsonSchema | undefined): Shape | undefined {
  if (!isKeywords(schema)) return undefined;
  let shape = shapes.get(schema);
  if (shape === undefined) shapes.set(schema, (shape = shapeBy([schema], { root: schema, visits: 0 })));
  return shape;
}

/** Returns whether an object has all required keys. */
export const hasRequired = (value: JsonObject, { required }: Shape): boolean =>
  required.every((key) => Object.hasOwn(value, key));

/** Returns whether an object has a declared key, as the first key of most arguments is. */
export function hasDeclaredKey(value: JsonObject, shape: Shape): boolean {
  for (const key in value) if (shape.hasMember(key)) return true;
  return false;
}

/** Options whose schema has been read, which may be a part of another one. */
export interface ShapedOptions extends Omit<RepairOptions, 'schema'> {
  readonly shape?: Shape | undefined;
}

interface Context {
  readonly root: Keywords;
  visits: number;
}

/** Creates the shape of a value. The shapes of its parts are cached, because they are looked up for every member of every text. */
function shapeBy(schemas: readonly unknown[], context: Context): Shape {
  const { kinds, required, members, others, items, prefix, isOpen } = gatherAny(schemas, context, 0);
  const known = new Map<string | number, Shape>();
  /** Creates the shape of a part once. -1 stands for undeclared members, -2 for further items. */
  const shapeOnce = (name: string | number, parts: readonly unknown[] = []): Shape | undefined => {
    let shape = known.get(name);
    if (shape === undefined && parts.length > 0) known.set(name, (shape = shapeBy(parts, context)));
    return shape;
  };
  return {
    kinds,
    takesText: kinds?.has('string') === true,
    required,
    keys: [...members.keys()],
    isClosed: members.size > 0 && !isOpen,
    hasMember: (key) => members.has(key),
    member: (key) => (members.has(key) ? shapeOnce(key, members.get(key)) : shapeOnce(-1, others)),
    item: (index) => (index < prefix.length ? shapeOnce(index, prefix[index]) : shapeOnce(-2, items)),
  };
}

const isKeywords = (value: unknown): value is Keywords =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const createGathered = (): Gathered => ({
  kinds: undefined,
  required: [],
  members: new Map(),
  others: [],
  items: [],
  prefix: [],
  isOpen: false,
});

/** Combines alternative schemas: a type is possible if one of them allows it. */
function gatherAny(schemas: readonly unknown[], context: Context, depth: number): Gathered {
  const all = createGathered();
  const parts = schemas.map((schema) => gather(schema, context, depth));
  for (const part of parts) merge(all, part);
  const isBound = parts.length > 0 && parts.every(({ kinds }) => kinds !== undefined);
  all.kinds = isBound ? new Set(parts.flatMap(({ kinds }) => [...(kinds ?? [])])) : undefined;
  if (parts.length > 1) all.required.length = 0;
  return all;
}

function gather(schema: unknown, context: Context, depth: number): Gathered {
  const own = createGathered();
  context.visits += 1;
  if (!isKeywords(schema) || depth > maxDepth || context.visits > maxVisits) return own;
  own.kinds = kindsOf(schema);
  own.required.push(...listOf(schema['required']).filter((key) => typeof key === 'string'));
  const { additionalProperties: others, prefixItems, items, properties, $ref } = schema;
  for (const [key, member] of Object.entries(isKeywords(properties) ? properties : {})) own.members.set(key, [member]);
  own.isOpen = others === true || isKeywords(others) || isKeywords(schema['patternProperties']);
  if (isKeywords(others)) own.others.push(others);
  own.prefix.push(...listOf(prefixItems ?? items).map((item) => [item]));
  if (isKeywords(items)) own.items.push(items);
  const parts = listOf(schema['allOf']).map((part) => gather(part, context, depth + 1));
  if (typeof $ref === 'string') parts.push(gather(resolve($ref, context.root), context, depth + 1));
  for (const branches of [listOf(schema['anyOf']), listOf(schema['oneOf'])])
    if (branches.length > 0) parts.push(gatherAny(branches, context, depth + 1));
  for (const part of parts) {
    merge(own, part);
    const { kinds } = own;
    own.kinds =
      kinds && part.kinds ? new Set([...kinds].filter((kind) => part.kinds?.has(kind))) : (kinds ?? part.kinds);
  }
  return own;
}

function merge(into: Gathered, part: Gathered): void {
  into.required.push(...part.required);
  for (const [key, schemas] of part.members) into.members.set(key, [...(into.members.get(key) ?? []), ...schemas]);
  into.others.push(...part.others);
  into.items.push(...part.items);
  for (const [index, schemas] of part.prefix.entries()) (into.prefix[index] ??= []).push(...schemas);
  into.isOpen ||= part.isOpen;
}

/** JSON Schema's names of the types in other languages. Any other type may be anything. */
const kindByType: ReadonlyMap<string, string> = new Map(
  [
    ['string', 'str char character'],
    ['integer', 'int long short byte bigint'],
    ['number', 'float double decimal'],
    ['boolean', 'bool'],
    ['array', 'list tuple arraylist set'],
    ['object', 'dict map hashmap'],
    ['null', 'none'],
  ].flatMap(([kind = '', names = '']) => [kind, ...names.split(' ')].map((name) => [name, kind] as const)),
);

function kindsOf(schema: Keywords): Set<string> | undefined {
  const types = typeof schema['type'] === 'string' ? [schema['type']] : listOf(schema['type']);
  const kinds = types.flatMap((type) => kindByType.get(String(type).toLowerCase()) ?? []);
  if (types.length > 0)
    return kinds.length < types.length ? undefined : new Set(schema['nullable'] === true ? [...kinds, 'null'] : kinds);
  const values = 'const' in schema ? [schema['const']] : listOf(schema['enum']);
  return values.length === 0 ? undefined : new Set(values.map(kindOf));
}

/** Returns JSON Schema's name for the type of a value. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function resolve(reference: string, root: Keywords): unknown {
  if (!reference.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}
