import { createTranslationDialect } from '../translation/create-translation-dialect.ts';
import type { Dialect } from '../definition/dialect.ts';

/** JSON Schema draft-07: tuples as `items`, `definitions`, `dependencies`, and no keywords beside a `$ref`. */
export const draft07: Dialect = createTranslationDialect({
  name: 'draft-07',
  source: 'https://json-schema.org/draft-07/json-schema-validation',
  draft: 'draft-07',
  uri: 'http://json-schema.org/draft-07/schema#',
  isRootObject: false,
  needsItems: false,
});
