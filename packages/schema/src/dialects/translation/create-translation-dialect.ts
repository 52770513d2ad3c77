import type { Dialect } from '../definition/dialect.ts';
import { translateSchema } from './translate-schema.ts';
import type { TranslationRules } from './translation-rules.ts';

/** A dialect that takes JSON Schema as a whole and spells or places some of it differently, made from its rules. */
export function createTranslationDialect({
  name,
  source,
  ...rules
}: Pick<Dialect, 'name' | 'source'> & TranslationRules): Dialect {
  return { name, source, lower: (document) => translateSchema(document, rules) };
}
