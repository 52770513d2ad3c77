import type { SchemaDocument } from '../document/schema-document.ts';
import type { JsonSchemaObject } from '../json-schema.ts';
import { setOwn } from '../json-value.ts';
import { changeObjects } from './change-objects.ts';

/** Fills in the defaults of absent properties. Returns the same value if no property is absent. */
export type FillDefaults = (value: unknown) => unknown;

/**
 * Creates a function that fills in the defaults of a JSON Schema, as zod does with its own. A default that its own
 * schema refuses is only documentation, and is ignored. Returns `undefined` if the schema has no defaults.
 *
 * @param accepts whether a value fits a part of the schema.
 */
export function createDefaults(
  document: SchemaDocument,
  accepts: (schema: JsonSchemaObject, value: unknown) => boolean,
): FillDefaults | undefined {
  if (!JSON.stringify(document.root).includes('"default":')) return undefined;
  const known = new WeakMap<JsonSchemaObject, readonly (readonly [key: string, text: string])[]>();
  const defaultsOf = (schema: JsonSchemaObject): readonly (readonly [string, string])[] => {
    let found = known.get(schema);
    if (found === undefined) known.set(schema, (found = findDefaults(schema, accepts)));
    return found;
  };
  return (value) =>
    changeObjects(document, value, (schema, object) => {
      let result: Record<string, unknown> | undefined;
      for (const [key, text] of defaultsOf(schema)) {
        // Each value gets its own copy, so that no call can change the default of the next.
        if (!Object.hasOwn(object, key)) setOwn((result ??= { ...object }), key, JSON.parse(text));
      }
      return result ?? object;
    });
}

function findDefaults(
  schema: JsonSchemaObject,
  accepts: (schema: JsonSchemaObject, value: unknown) => boolean,
): readonly (readonly [string, string])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    if (typeof member !== 'object' || !Object.hasOwn(member, 'default')) return [];
    const { default: value } = member as { readonly default?: unknown };
    return accepts(member, value) ? [[key, JSON.stringify(value)] as const] : [];
  });
}
