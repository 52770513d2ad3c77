import { childSchemas } from './child-schemas.ts';
import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import type { SchemaDocument } from './schema-document.ts';
import { SchemaError } from '../schema-error.ts';

const inPlace = /^(?:allOf|anyOf|oneOf|not|if|then|else|dependentSchemas|dependencies)(?:\/|$)/;
const maxChecksInPlace = 20_000;
const maxChecksInAll = 50_000;

/**
 * Measures how many checks one value can need. Throws `SCHEMA_REF_LOOP` for schemas that check one value endlessly, and
 * `SCHEMA_TOO_LARGE` for schemas that multiply (each definition refers to the next one twice). Returns whether the
 * whole schema, with references followed, is finite and small enough to be checked without caching.
 */
export function measureExpansion(document: SchemaDocument, nodes: readonly JsonSchemaObject[]): boolean {
  const here = createMeter((node) => edges(document, node, true));
  for (const node of nodes) {
    const cost = here(node);
    if (cost === Infinity) {
      throw new SchemaError(
        'SCHEMA_REF_LOOP',
        'The schema refers to itself without consuming any of the value',
        document.pointerOf(node),
      );
    }
    if (cost > maxChecksInPlace) {
      throw new SchemaError(
        'SCHEMA_TOO_LARGE',
        `One value would be checked more than ${maxChecksInPlace} times`,
        document.pointerOf(node),
      );
    }
  }
  if (document.hasDynamicRefs || typeof document.root === 'boolean') return !document.hasDynamicRefs;
  return createMeter((node) => edges(document, node, false))(document.root) <= maxChecksInAll;
}

function edges(document: SchemaDocument, node: JsonSchemaObject, onlyInPlace: boolean): JsonSchema[] {
  const found: JsonSchema[] = [];
  if (node.$ref !== undefined) found.push(document.target(node, '$ref'));
  if (node['$dynamicRef'] !== undefined) found.push(document.target(node, '$dynamicRef'));
  for (const [child, at] of childSchemas(node)) {
    const isDefinition = at.startsWith('$defs/') || at.startsWith('definitions/');
    if (!isDefinition && (!onlyInPlace || inPlace.test(at))) found.push(child);
  }
  return found;
}

/** Counts the paths through a graph. Visits each node once. Returns Infinity if a node can reach itself. */
function createMeter(next: (node: JsonSchemaObject) => readonly JsonSchema[]): (node: JsonSchemaObject) => number {
  const costs = new Map<JsonSchemaObject, number>();
  return function measure(node: JsonSchemaObject): number {
    const known = costs.get(node);
    if (known !== undefined) return known;
    costs.set(node, Infinity);
    let cost = 1;
    for (const child of next(node)) cost += typeof child === 'boolean' ? 1 : measure(child);
    costs.set(node, cost);
    return cost;
  };
}
