import type { SchemaDocument } from '../document/schema-document.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { AliasTree } from '../keys/alias-tree.ts';
import type { Place } from '../value-path.ts';
import type { Coercion } from './coercion.ts';

/** Dependencies of the coercion of a nested value. */
export interface CoerceContext {
  readonly document: SchemaDocument;
  readonly aliases: AliasTree | undefined;
  accepts(schema: JsonSchema, value: unknown): boolean;
  /** Coerces a nested value. Returns the same value if no coercion makes it fit. */
  coerce(schema: JsonSchema, value: unknown, place: Place | undefined, done: Coercion[], depth: number): unknown;
}
