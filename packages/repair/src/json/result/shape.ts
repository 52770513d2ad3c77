import type { JsonSchema } from '../../json-schema.ts';
import type { RepairOptions } from './repair-options.ts';

/** What a schema says about one value, as far as that helps to tell what characters meant. */
export interface Shape {
  /** The types it may have, in JSON Schema's words; `undefined` when any will do. */
  readonly kinds: ReadonlySet<string> | undefined;
  /** Whether text is among the types it may have, and not everything is. */
  readonly takesText: boolean;
  /** Keys that have to be there. */
  readonly required: readonly string[];
  /** Keys that are declared, in their order. */
  readonly keys: readonly string[];
  /** Whether keys are declared, and others are not invited. */
  readonly isClosed: boolean;
  hasMember(key: string): boolean;
  member(key: string): Shape | undefined;
  item(index: number): Shape | undefined;
}

type Keywords = Readonly<Record<string, unknown>>;

/** What several schemas for one value say together. */
interface Gathered {
  kinds: Set<string> | undefined;
  readonly required: string[];
  readonly members: Map<string, unknown[]>;
  readonly others: unknown[];
  readonly items: unknown[];
  readonly prefix: unknown[][];
  isOpen: boolean;
}

// A schema that refers to itself, or branches without end, is followed this far.
const maxDepth = 32;
const maxVisits = 5_000;

// The arguments of one tool are read many times: what its schema says is worked out once.
const known = new WeakMap<object, Shape>();

/**
 * Reads a schema. Nothing of it is looked at before it is needed; `$ref` is followed within the schema only.
 * Remembered by identity: a schema that is changed afterwards is not read again.
 */
export function createShape(schema: JsonSchema): Shape | undefined {
  if (!isKeywords(schema)) return undefined;
  let shape = known.get(schema);
  if (shape === undefined) known.set(schema, (shape = new SchemaShape([schema], { root: schema, visits: 0 })));
  return shape;
}

/** What the options declare, once for all that is read with them. */
export function toShape({ schema }: RepairOptions): Shape | undefined {
  return schema === undefined ? undefined : createShape(schema);
}

interface Context {
  readonly root: Keywords;
  visits: number;
}

/** Parts are looked up for every member of every text, so each is found by one look once it is known. */
class SchemaShape implements Shape {
  readonly #schemas: readonly unknown[];
  readonly #context: Context;
  readonly #members = new Map<string, Shape | undefined>();
  readonly #prefix: (Shape | undefined)[] = [];
  #known: Gathered | undefined;
  #takesText: boolean | undefined;
  #others: Shape | undefined;
  #items: Shape | undefined;

  constructor(schemas: readonly unknown[], context: Context) {
    this.#schemas = schemas;
    this.#context = context;
  }

  get #gathered(): Gathered {
    return (this.#known ??= gatherAny(this.#schemas, this.#context, 0));
  }

  get kinds(): ReadonlySet<string> | undefined {
    return this.#gathered.kinds;
  }

  get takesText(): boolean {
    return (this.#takesText ??= this.kinds?.has('string') ?? false);
  }

  get required(): readonly string[] {
    return this.#gathered.required;
  }

  get keys(): readonly string[] {
    return [...this.#gathered.members.keys()];
  }

  get isClosed(): boolean {
    return this.#gathered.members.size > 0 && !this.#gathered.isOpen;
  }

  hasMember(key: string): boolean {
    return this.#gathered.members.has(key);
  }

  member(key: string): Shape | undefined {
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    const { members, others } = this.#gathered;
    if (!members.has(key)) return (this.#others ??= this.#partOf(others));
    const found = this.#partOf(members.get(key));
    this.#members.set(key, found);
    return found;
  }

  item(index: number): Shape | undefined {
    const { prefix, items } = this.#gathered;
    if (index < prefix.length) return (this.#prefix[index] ??= this.#partOf(prefix[index]));
    return (this.#items ??= this.#partOf(items));
  }

  #partOf(schemas: readonly unknown[] = []): Shape | undefined {
    return schemas.length === 0 ? undefined : new SchemaShape(schemas, this.#context);
  }
}

function isKeywords(value: unknown): value is Keywords {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nothing(): Gathered {
  return { kinds: undefined, required: [], members: new Map(), others: [], items: [], prefix: [], isOpen: false };
}

/** Schemas of which any may hold: a type is possible when one of them allows it. */
function gatherAny(schemas: readonly unknown[], context: Context, depth: number): Gathered {
  const all = nothing();
  const parts = schemas.map((schema) => gather(schema, context, depth));
  for (const part of parts) merge(all, part);
  const isBound = parts.length > 0 && parts.every((part) => part.kinds !== undefined);
  all.kinds = isBound ? new Set(parts.flatMap((part) => [...(part.kinds ?? [])])) : undefined;
  if (parts.length > 1) all.required.length = 0;
  return all;
}

function gather(schema: unknown, context: Context, depth: number): Gathered {
  const own = nothing();
  context.visits += 1;
  if (!isKeywords(schema) || depth > maxDepth || context.visits > maxVisits) return own;
  own.kinds = kindsOf(schema);
  own.required.push(...listOf(schema['required']).filter((key) => typeof key === 'string'));
  if (isKeywords(schema['properties'])) {
    for (const [key, member] of Object.entries(schema['properties'])) own.members.set(key, [member]);
  }
  const { additionalProperties: others, prefixItems, items } = schema;
  own.isOpen = others === true || isKeywords(others) || isKeywords(schema['patternProperties']);
  if (isKeywords(others)) own.others.push(others);
  own.prefix.push(...listOf(prefixItems ?? items).map((item) => [item]));
  if (isKeywords(items)) own.items.push(items);
  const parts = listOf(schema['allOf']).map((part) => gather(part, context, depth + 1));
  if (typeof schema['$ref'] === 'string') parts.push(gather(resolve(schema['$ref'], context.root), context, depth + 1));
  for (const key of ['anyOf', 'oneOf']) {
    const branches = listOf(schema[key]);
    if (branches.length > 0) parts.push(gatherAny(branches, context, depth + 1));
  }
  for (const part of parts) {
    merge(own, part);
    own.kinds = common(own.kinds, part.kinds);
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

function common(one: Set<string> | undefined, other: Set<string> | undefined): Set<string> | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return new Set([...one].filter((kind) => other.has(kind)));
}

function kindsOf(schema: Keywords): Set<string> | undefined {
  const types = typeof schema['type'] === 'string' ? [schema['type']] : listOf(schema['type']);
  if (types.length > 0) return new Set([...types, schema['nullable'] === true ? 'null' : ''].map(String));
  const values = 'const' in schema ? [schema['const']] : listOf(schema['enum']);
  return values.length === 0 ? undefined : new Set(values.map(kindOf));
}

/** JSON Schema's word for the type of a value. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function resolve(reference: string, root: Keywords): unknown {
  if (!reference.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined;
  }
  return found;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
