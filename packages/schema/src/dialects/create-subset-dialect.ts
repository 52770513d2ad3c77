import type { Dialect } from './dialect.ts';
import { lowerToSubset } from './subset/lower-to-subset.ts';
import type { SubsetRules } from './subset/subset-rules.ts';

/** A dialect of a vendor that takes a subset of JSON Schema, made from the vendor's rules. */
export function createSubsetDialect({
  name,
  source,
  ...rules
}: Pick<Dialect, 'name' | 'source'> & SubsetRules): Dialect {
  return { name, source, lower: (document) => lowerToSubset(document, rules) };
}
