import type { Dialect } from './dialect.ts';
import { lowerToSubset } from './subset/lower-to-subset.ts';
import type { SubsetRules } from './subset/subset-rules.ts';

/** A dialect of a vendor that takes a subset of JSON Schema, made from the vendor's rules. */
export function createSubsetDialect({
  name,
  source,
  isStrict = false,
  ...rules
}: Pick<Dialect, 'name' | 'source' | 'isStrict'> & SubsetRules): Dialect {
  return { name, source, isStrict, lower: (document) => lowerToSubset(document, rules) };
}
