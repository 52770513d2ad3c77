import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';

/** The part of a schema that one `$id` names; references resolve against it. */
export interface SchemaResource {
  readonly root: JsonSchema;
  readonly uri: string;
  readonly dynamicAnchors: Map<string, JsonSchema>;
}

/** A JSON Schema read once: checked, frozen, and with every reference resolved. */
export interface SchemaDocument {
  readonly root: JsonSchema;
  readonly dialect: 'draft-07' | '2020-12';
  /** Whether code generated for it is as right and as bounded in time as walking it: finite, and free of puzzles. */
  readonly isPlain: boolean;
  readonly tracksEvaluated: boolean;
  readonly hasDynamicRefs: boolean;
  /** Whether an `enum` is so long that comparing with each of its values would take time. */
  readonly hasLongEnum: boolean;
  /** What a `$ref` or `$dynamicRef` of this schema object points at. */
  target(schema: JsonSchemaObject, keyword: '$ref' | '$dynamicRef'): JsonSchema;
  resourceOf(schema: JsonSchemaObject): SchemaResource | undefined;
  /** Where a schema object of this document stands: `#/properties/name`. */
  pointerOf(schema: JsonSchemaObject): string;
}
