import type { JsonSchemaObject, JsonType } from '../json-schema.ts';

/** Writes a union as briefly as possible: `{ type: ["string", "null"] }` if the branches are plain types. */
export function joinSchemas(branches: readonly JsonSchemaObject[]): JsonSchemaObject {
  const types = branches.map(({ type }) => type);
  const areBare = branches.every((branch) => typeof branch.type === 'string' && Object.keys(branch).length === 1);
  return areBare ? { type: types as readonly JsonType[] } : { anyOf: branches };
}

/** Removes bounds of a number that a tighter bound implies. */
export function withoutLooseBounds(schema: JsonSchemaObject): JsonSchemaObject {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const isAbove = exclusiveMinimum !== undefined && exclusiveMinimum >= (minimum ?? -Infinity);
  const isBelow = exclusiveMaximum !== undefined && exclusiveMaximum <= (maximum ?? Infinity);
  return {
    ...rest,
    ...(isAbove ? { exclusiveMinimum } : minimum === undefined ? {} : { minimum }),
    ...(isBelow ? { exclusiveMaximum } : maximum === undefined ? {} : { maximum }),
  };
}
