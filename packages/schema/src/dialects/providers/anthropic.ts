import { createTranslationDialect } from '../translation/create-translation-dialect.ts';
import type { Dialect } from '../definition/dialect.ts';

/**
 * Anthropic's tools without `strict`: `input_schema` is draft 2020-12 with an object at the root, without `anyOf`,
 * `oneOf` or `allOf` beside it, and keys that match a pattern.
 */
export const anthropic: Dialect = createTranslationDialect({
  name: 'anthropic',
  source: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use',
  draft: '2020-12',
  isRootObject: true,
  needsItems: false,
  keys: /^[a-zA-Z0-9_.-]{1,64}$/,
});
