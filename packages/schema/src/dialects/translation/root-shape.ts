import type { JsonSchema, JsonSchemaObject } from '../../json-schema.ts';
import { isRecord } from '../../json-value.ts';
import type { SchemaDocument } from '../../document/schema-document.ts';

/** How a root must change to become a plain object schema. */
export interface RootShape {
  /** The schema that the root is built from: the root itself, or the target of its reference. */
  readonly root: JsonSchema;
  /** Whether the root becomes the only key of an object. */
  readonly isWrapped: boolean;
  /** Keywords at the root that only restrict combinations of keys, and are dropped. */
  readonly dropped: readonly string[];
  /** Whether the type is not declared, but only implied by keywords. */
  readonly lacksType: boolean;
}

const combining = ['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not', 'if', '$dynamicRef'];
const wordsOnly = new Set(['title', 'description', '$comment', '$schema', '$id', '$defs', 'definitions', 'examples']);
const restricting = new Set(['required', 'not', 'if', 'then', 'else', 'dependentRequired', 'title', 'description']);
const aboutObjects = ['properties', 'required', 'additionalProperties', 'patternProperties'];

/** Returns how the root of a schema must change to become an object. */
export function shapeOfRoot(document: SchemaDocument): RootShape {
  let { root } = document;
  for (let hops = 0; hops < 100 && isMereReference(root); hops += 1) root = document.target(root, '$ref');
  const wrapped: RootShape = { root: document.root, isWrapped: true, dropped: [], lacksType: false };
  if (root === false || (root !== true && root.$ref !== undefined)) return wrapped;
  const own: JsonSchemaObject = root === true ? {} : root;
  const isAboutObjects = aboutObjects.some((keyword) => Object.hasOwn(own, keyword));
  // A schema without rules counts as any object.
  const saysNothing = Object.keys(own).every((keyword) => wordsOnly.has(keyword));
  const lacksType = own.type === undefined && (isAboutObjects || saysNothing);
  if (own.type !== 'object' && !lacksType) return wrapped;
  if (own['nullable'] === true) return wrapped;
  const dropped = combining.filter((keyword) => Object.hasOwn(own, keyword));
  const isSimple = dropped.every((keyword) => onlyRestricts(own[keyword], keyword));
  return isSimple ? { root: own, isWrapped: false, dropped, lacksType } : wrapped;
}

function isMereReference(schema: JsonSchema): schema is Exclude<JsonSchema, boolean> {
  if (typeof schema === 'boolean' || schema.$ref === undefined) return false;
  return Object.keys(schema).every((keyword) => keyword === '$ref' || wordsOnly.has(keyword));
}

/** Whether a keyword adds neither a type nor a key: `anyOf: [{ required: ["a"] } */
function onlyRestricts(value: unknown, keyword: string): boolean {
  if (keyword === 'not' || keyword === 'if') return true;
  if (!Array.isArray(value)) return false;
  return value.every((branch) => isRecord(branch) && Object.keys(branch).every((inner) => restricting.has(inner)));
}
