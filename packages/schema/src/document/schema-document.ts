import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';

/** The part of a schema that one `$id` identifies; references resolve against it. */
export interface SchemaResource {
  readonly root: JsonSchema;
  readonly uri: string;
  readonly dynamicAnchors: Map<string, JsonSchema>;
}

/** A JSON Schema after reading: checked, frozen, and with every reference resolved. */
export interface SchemaDocument {
  readonly root: JsonSchema;
  readonly dialect: 'draft-07' | '2020-12';
  /** Whether generated code is as correct and as bounded in time as walking the schema. */
  readonly isPlain: boolean;
  readonly tracksEvaluated: boolean;
  readonly hasDynamicRefs: boolean;
  /** Whether an `enum` is so long that comparing with each value takes time. */
  readonly hasLongEnum: boolean;
  /** The target of a `$ref` or `$dynamicRef` of this schema object. */
  target(schema: JsonSchemaObject, keyword: '$ref' | '$dynamicRef'): JsonSchema;
  resourceOf(schema: JsonSchemaObject): SchemaResource | undefined;
  /** The pointer of a schema object in this document: `#/properties/name`. */
  pointerOf(schema: JsonSchemaObject): string;
}
