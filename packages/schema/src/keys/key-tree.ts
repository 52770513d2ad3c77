import type { AliasTree } from './alias-tree.ts';
import { aliasesInside } from './alias-tree.ts';
import type { KeyIndex } from '../spelling/closest-key.ts';
import { createKeyIndex } from '../spelling/closest-key.ts';
import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import type { SchemaDocument } from '../document/schema-document.ts';

/** The keys that a schema declares at one path of a value, and the key nodes inside them. */
export interface KeyNode {
  readonly known: ReadonlySet<string>;
  readonly index: KeyIndex;
  /** Whether the schema itself refuses undeclared keys. */
  readonly isClosed: boolean;
  /** Whether the schema describes further keys, so that any key may be intended. */
  readonly isOpen: boolean;
  readonly aliases: AliasTree | undefined;
  readonly members: ReadonlyMap<string, KeyNode>;
  /** The key node inside undeclared keys. */
  readonly rest: KeyNode | undefined;
  readonly items: KeyNode | undefined;
}

const maxNodes = 2000;
const maxParts = 10_000;

/**
 * Reads the keys of a schema as a tree, or as a graph if the schema is recursive. Returns `undefined` if no undeclared
 * key can pass unnoticed: objects are closed or declare no keys.
 */
export function readKeyTree(document: SchemaDocument, aliases: AliasTree | undefined): KeyNode | undefined {
  const nodes = new Map<string, KeyNode>();
  const ids = new Map<object, number>();
  let parts = 0;

  function nodeFor(schemas: readonly JsonSchema[], tree: AliasTree | undefined): KeyNode | undefined {
    const known = new Set<JsonSchemaObject>();
    for (const schema of schemas) collect(schema, known);
    if (known.size === 0) return undefined;
    const key = [...known, tree ?? ids].map(idOf).join();
    const made = nodes.get(key);
    if (made !== undefined || nodes.size >= maxNodes || parts > maxParts) return made;
    const names = new Set<string>();
    for (const { properties } of known) for (const name of Object.keys(properties ?? {})) names.add(name);
    const members = new Map<string, KeyNode>();
    const index = createKeyIndex([...names]);
    const node = {
      known: names,
      index,
      isClosed: isClosed(known),
      isOpen: [...known].some(takesFurtherKeys),
      aliases: tree,
      members,
      rest: undefined,
      items: undefined,
    };
    nodes.set(key, node);
    for (const name of names) {
      const inside = [...known].flatMap(({ properties }) => ownOf(properties, name));
      const member = nodeFor(inside, aliasesInside(tree, name));
      if (member !== undefined) members.set(name, member);
    }
    const others = [...known].flatMap((part) => [
      ...(part.additionalProperties === undefined ? [] : [part.additionalProperties]),
      ...Object.values(part.patternProperties ?? {}),
    ]);
    const items = [...known].flatMap((part) => itemsOf(part));
    return Object.assign(node, {
      rest: nodeFor(others, aliasesInside(tree, '*')),
      items: nodeFor(items, aliasesInside(tree, 0)),
    });
  }

  /** Collects the schemas that a schema consists of, following references and branches. */
  function collect(schema: JsonSchema, into: Set<JsonSchemaObject>): void {
    parts += 1;
    if (typeof schema === 'boolean' || into.has(schema) || parts > maxParts) return;
    into.add(schema);
    if (schema.$ref !== undefined) collect(document.target(schema, '$ref'), into);
    for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) collect(part, into);
  }

  function idOf(part: object): number {
    const id = ids.get(part) ?? ids.size;
    ids.set(part, id);
    return id;
  }

  const root = nodeFor([document.root], aliases);
  const isWatched = [...nodes.values()].some(
    (node) => (!node.isClosed && node.known.size > 0) || node.aliases !== undefined,
  );
  return isWatched ? root : undefined;
}

function isClosed(parts: ReadonlySet<JsonSchemaObject>): boolean {
  const objects = [...parts].filter(({ properties }) => properties !== undefined);
  return objects.every((part) => part.additionalProperties === false && part.patternProperties === undefined);
}

/** Keywords that describe keys not listed in `properties`. */
const furtherKeywords = [
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
  'propertyNames',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  'if',
  'not',
  '$dynamicRef',
];

/** Whether a schema describes undeclared keys, other than by refusing them. */
export function takesFurtherKeys(schema: JsonSchemaObject): boolean {
  return furtherKeywords.some((keyword) => schema[keyword] !== undefined && schema[keyword] !== false);
}

function ownOf(properties: JsonSchemaObject['properties'], name: string): readonly JsonSchema[] {
  return properties !== undefined && Object.hasOwn(properties, name) ? [properties[name] as JsonSchema] : [];
}

function itemsOf(schema: JsonSchemaObject): readonly JsonSchema[] {
  const tuple = (Array.isArray(schema.items) ? schema.items : schema.prefixItems) as readonly JsonSchema[] | undefined;
  const rest = (Array.isArray(schema.items) ? schema['additionalItems'] : schema.items) as JsonSchema | undefined;
  return [...(tuple ?? []), ...(rest === undefined ? [] : [rest])];
}
