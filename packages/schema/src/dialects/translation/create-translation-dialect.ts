import type { Dialect } from '../definition/dialect.ts';
import { translateSchema } from './translate-schema.ts';
import type { TranslationRules } from './translation-rules.ts';

/** Creates a dialect that accepts all of JSON Schema but spells or places some of it differently. */
export function createTranslationDialect({
  name,
  source,
  ...rules
}: Pick<Dialect, 'name' | 'source'> & TranslationRules): Dialect {
  return { name, source, lower: (document) => translateSchema(document, rules) };
}
