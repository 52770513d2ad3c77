import type { Dialect } from '../definition/dialect.ts';
import { lowerToSubset } from './lower-to-subset.ts';
import type { SubsetRules } from './facets/subset-rules.ts';

/** Creates the dialect of a provider that accepts a subset of JSON Schema, from the provider's rules. */
export function createSubsetDialect({
  name,
  source,
  isStrict = false,
  ...rules
}: Pick<Dialect, 'name' | 'source' | 'isStrict'> & SubsetRules): Dialect {
  return { name, source, isStrict, lower: (document) => lowerToSubset(document, rules) };
}
