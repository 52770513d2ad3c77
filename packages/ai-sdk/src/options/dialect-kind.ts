import { either, objectWith, oneOf, type OptionKind } from '@haft/core/options';
import { dialects, type Dialect, type DialectName } from '@haft/schema';

/** A dialect of JSON Schema, or the name of one. */
export const dialectKind: OptionKind<DialectName | Dialect> = either(
  oneOf(...(Object.keys(dialects) as DialectName[])),
  objectWith<Dialect>('a dialect such as createSubsetDialect() returns', 'lower'),
);
