import { createTranslationDialect } from '../translation/create-translation-dialect.ts';
import type { Dialect } from '../definition/dialect.ts';

/**
 * Mistral's functions: `parameters` is JSON Schema with an object at its root. No further limits are documented;
 * `$schema` and `$id` are refused.
 */
export const mistral: Dialect = createTranslationDialect({
  name: 'mistral',
  source: 'https://docs.mistral.ai/capabilities/function_calling',
  draft: '2020-12',
  isRootObject: true,
  needsItems: true,
});
