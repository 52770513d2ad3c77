import { createTranslationDialect } from '../translation/create-translation-dialect.ts';
import type { Dialect } from '../definition/dialect.ts';

/**
 * OpenAI's functions without `strict`: JSON Schema is taken as it is, if the root is an object without `anyOf`, `oneOf`,
 * `allOf`, `enum`, `const` or `not` beside it, and every list says what its items are.
 */
export const openai: Dialect = createTranslationDialect({
  name: 'openai',
  source: 'https://developers.openai.com/api/docs/guides/function-calling',
  draft: '2020-12',
  isRootObject: true,
  needsItems: true,
});
