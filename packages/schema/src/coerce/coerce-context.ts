import type { SchemaDocument } from '../document/schema-document.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { AliasTree } from '../keys/alias-tree.ts';
import type { Place } from '../value-path.ts';
import type { Coercion } from './coercion.ts';

/** What the coercion of one part of a value may use. */
export interface CoerceContext {
  readonly document: SchemaDocument;
  readonly aliases: AliasTree | undefined;
  accepts(schema: JsonSchema, value: unknown): boolean;
  /** Coerces a part; answers the same value when nothing fits better. */
  coerce(schema: JsonSchema, value: unknown, place: Place | undefined, done: Coercion[], depth: number): unknown;
}
