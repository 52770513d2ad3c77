import { childSchemas } from './child-schemas.ts';
import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import { isRecord } from '../json-value.ts';
import { checkSchemaForm, patternsOf } from './check-schema-form.ts';
import { canExplode } from '../patterns/pattern-safety.ts';
import { compilePattern } from '../patterns/pattern-matcher.ts';
import { clip } from '../preview.ts';
import { measureExpansion } from './schema-expansion.ts';
import type { SchemaDocument, SchemaResource } from './schema-document.ts';
import { SchemaError } from '../schema-error.ts';

const baseUri = 'haft://schema/root';
const documents = new WeakMap<object, SchemaDocument>();

/** Returns the document that was read from this root object, if any. */
export function knownDocument(root: object): SchemaDocument | undefined {
  return documents.get(root);
}

const longEnum = 50;
const maxMembers = 300;

/** Maximum total length of the regular expressions in one schema, in characters, because examining them takes time. */
const maxPatternText = 20_000;

/**
 * Reads and checks a JSON Schema that was copied by `copySchema`. Throws {@link SchemaError} if it cannot be used; see
 * `schemaErrorCodes`. With `trusted`, for schemas in the program's own code, patterns are not examined for their
 * running time.
 */
export function readSchema(root: JsonSchema, patterns: 'examined' | 'trusted' = 'examined'): SchemaDocument {
  try {
    const document = readChecked(root, patterns);
    if (typeof root === 'object') documents.set(root, document);
    return document;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SchemaError('SCHEMA_TOO_LARGE', 'The schema is nested too deep', '#', { cause: error });
  }
}

function readChecked(root: JsonSchema, patterns: 'examined' | 'trusted'): SchemaDocument {
  const dialect = detectDialect(root);
  const homes = new Map<JsonSchemaObject, SchemaResource>();
  const pointers = new Map<JsonSchemaObject, string>();
  const resources = new Map<string, SchemaResource>();
  const anchors = new Map<string, JsonSchema>();
  const targets = new Map<JsonSchemaObject, { $ref?: JsonSchema; $dynamicRef?: JsonSchema }>();
  const pending: JsonSchemaObject[] = [];
  let tracksEvaluated = false;
  let hasDynamicRefs = false;
  let hasLongEnum = false;
  let isPuzzlingSchema = false;
  let patternText = 0;

  function visit(schema: unknown, outer: SchemaResource, pointer: string): void {
    if (typeof schema === 'boolean') return;
    if (!isRecord(schema)) {
      throw new SchemaError('SCHEMA_INVALID', 'A schema must be an object or a boolean', pointer);
    }
    const node = schema as JsonSchemaObject;
    if (homes.has(node)) return;
    checkSchemaForm(node, pointer);
    checkPatterns(node, pointer);
    if (isPuzzling(node, pointer) || isWide(node)) isPuzzlingSchema = true;
    const home = enterResource(node, outer);
    homes.set(node, home);
    pointers.set(node, pointer);
    if (node.$ref !== undefined || node['$dynamicRef'] !== undefined) pending.push(node);
    if ('unevaluatedProperties' in node || 'unevaluatedItems' in node) tracksEvaluated = true;
    if (node['$dynamicRef'] !== undefined) hasDynamicRefs = true;
    if (node.enum !== undefined && node.enum.length > longEnum) hasLongEnum = true;
    for (const [child, at] of childSchemas(node)) visit(child, home, `${pointer}/${at}`);
  }

  function checkPatterns(node: JsonSchemaObject, pointer: string): void {
    for (const [pattern, at] of patternsOf(node, pointer)) {
      const { isLinear } = compilePattern(pattern, at);
      // Generated code cannot be interrupted.
      if (!isLinear) isPuzzlingSchema = true;
      if (patterns === 'trusted') continue;
      patternText += pattern.length;
      if (patternText > maxPatternText) throw new SchemaError('SCHEMA_TOO_LARGE', 'Too many regular expressions', at);
      if (canExplode(pattern)) {
        const text = JSON.stringify(clip(pattern, 80));
        throw new SchemaError('SCHEMA_PATTERN_UNSAFE', `Matching ${text} could take exponential time`, at);
      }
    }
  }

  function enterResource(node: JsonSchemaObject, outer: SchemaResource): SchemaResource {
    let home = outer;
    const id = dialect === 'draft-07' && node.$ref !== undefined ? undefined : node.$id;
    if (id?.startsWith('#') === true) anchors.set(outer.uri + id, node);
    else if (id !== undefined) {
      home = { root: node, uri: resolveUri(id, outer.uri).replace(/#.*$/s, ''), dynamicAnchors: new Map() };
      resources.set(home.uri, home);
    }
    const anchor = node['$anchor'];
    if (typeof anchor === 'string') anchors.set(`${home.uri}#${anchor}`, node);
    const dynamicAnchor = node['$dynamicAnchor'];
    if (typeof dynamicAnchor === 'string') {
      anchors.set(`${home.uri}#${dynamicAnchor}`, node);
      home.dynamicAnchors.set(dynamicAnchor, node);
    }
    return home;
  }

  function resolve(node: JsonSchemaObject, reference: string): JsonSchema {
    const home = homes.get(node) ?? rootResource;
    const uri = resolveUri(reference, home.uri);
    const hash = uri.indexOf('#');
    const base = hash < 0 ? uri : uri.slice(0, hash);
    const fragment = hash < 0 ? '' : uri.slice(hash + 1);
    const resource = resources.get(base);
    const found =
      resource === undefined
        ? undefined
        : fragment === '' || fragment.startsWith('/')
          ? followPointer(resource, fragment)
          : anchors.get(`${base}#${decode(fragment)}`);
    if (found === undefined) {
      throw new SchemaError(
        'SCHEMA_REF_UNRESOLVED',
        `the reference ${JSON.stringify(reference)} has no target in this schema; references to other documents are not fetched`,
        pointers.get(node),
      );
    }
    return found;
  }

  function followPointer(resource: SchemaResource, pointer: string): JsonSchema | undefined {
    let at: unknown = resource.root;
    let home = resource;
    for (const token of pointer.split('/').slice(1)) {
      const key = decode(token).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
      at = (at as Record<string, unknown>)[key];
      if (isRecord(at)) home = homes.get(at) ?? home;
    }
    if (typeof at === 'boolean') return at;
    if (!isRecord(at)) return undefined;
    // A pointer may lead to a value that no keyword marks as a schema. From here on, the value is read as a schema.
    visit(at, home, `#${pointer}`);
    return at;
  }

  const rootResource: SchemaResource = { root, uri: baseUri, dynamicAnchors: new Map() };
  resources.set(baseUri, rootResource);
  visit(root, rootResource, '#');
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const found: { $ref?: JsonSchema; $dynamicRef?: JsonSchema } = {};
    if (node.$ref !== undefined) found.$ref = resolve(node, node.$ref);
    if (typeof node['$dynamicRef'] === 'string') found.$dynamicRef = resolve(node, node['$dynamicRef']);
    targets.set(node, found);
  }

  const document: SchemaDocument = {
    root,
    dialect,
    isPlain: false,
    tracksEvaluated,
    hasDynamicRefs,
    hasLongEnum,
    target: (schema, keyword) => targets.get(schema)?.[keyword] ?? true,
    resourceOf: (schema) => homes.get(schema),
    pointerOf: (schema) => pointers.get(schema) ?? '#',
  };
  const isPlain = measureExpansion(document, [...homes.keys()]);
  return { ...document, isPlain: isPlain && !isPuzzlingSchema };
}

/**
 * Whether generated code would read a schema object differently: nested identifiers; tuples (ajv 8 skips the keywords
 * after them for an empty array); and keys that every object inherits (`constructor`, `__proto__`), which count only as
 * own properties of a value.
 */
function isPuzzling(node: JsonSchemaObject, pointer: string): boolean {
  const isNamed = node.$id !== undefined || node['$anchor'] !== undefined || node['$dynamicAnchor'] !== undefined;
  if (isNamed && pointer !== '#') return true;
  if (node.prefixItems !== undefined || Array.isArray(node.items)) return true;
  const maps = [node.properties, node['dependentRequired'], node['dependentSchemas'], node['dependencies']];
  const names = [...(node.required ?? []), ...maps.flatMap((map) => (isRecord(map) ? Object.keys(map) : []))];
  for (const wanted of Object.values(node['dependentRequired'] ?? node['dependencies'] ?? {})) {
    if (Array.isArray(wanted)) names.push(...(wanted as readonly string[]));
  }
  return names.some((name) => name in Object.prototype);
}

/**
 * Whether a schema object has more members than generated code supports: the code nests the members, and the engine
 * would fail to parse it in every call.
 */
function isWide({ properties, anyOf, oneOf, allOf, prefixItems }: JsonSchemaObject): boolean {
  return [Object.keys(properties ?? {}), anyOf, oneOf, allOf, prefixItems].some(
    (members) => (members?.length ?? 0) > maxMembers,
  );
}

function detectDialect(root: JsonSchema): SchemaDocument['dialect'] {
  if (typeof root === 'boolean') return '2020-12';
  if (root.$schema !== undefined) return /draft-0[3-7]/.test(root.$schema) ? 'draft-07' : '2020-12';
  // Many servers omit `$schema`. Only draft-07 wrote tuples as a list of items.
  return usesTupleItems(root) ? 'draft-07' : '2020-12';
}

function usesTupleItems(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  if (Array.isArray(schema['items'])) return true;
  for (const [child] of childSchemas(schema)) if (usesTupleItems(child)) return true;
  return false;
}

function resolveUri(reference: string, base: string): string {
  if (reference.startsWith('#')) return base + reference;
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
