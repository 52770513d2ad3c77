import { createTranslationDialect } from '../translation/create-translation-dialect.ts';
import type { Dialect } from '../definition/dialect.ts';

/**
 * OpenAI's functions without `strict`: JSON Schema is accepted if the root is an object without `anyOf`, `oneOf`,
 * `allOf`, `enum`, `const` or `not` beside it, and every list declares its items.
 */
export const openai: Dialect = createTranslationDialect({
  name: 'openai',
  source: 'https://developers.openai.com/api/docs/guides/function-calling',
  draft: '2020-12',
  isRootObject: true,
  needsItems: true,
});
