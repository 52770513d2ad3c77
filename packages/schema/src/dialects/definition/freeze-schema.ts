import type { JsonSchemaObject } from '../../json-schema.ts';

/** Freezes a schema deeply. */
export function freezeSchema(schema: JsonSchemaObject): JsonSchemaObject {
  freeze(schema);
  return schema;
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
}
