import { createTranslationDialect } from '../translation/create-translation-dialect.ts';
import type { Dialect } from '../definition/dialect.ts';

/** JSON Schema of draft 2020-12, with references that stay within the schema. */
export const jsonSchema202012: Dialect = createTranslationDialect({
  name: 'json-schema-2020-12',
  source: 'https://json-schema.org/draft/2020-12/json-schema-validation',
  draft: '2020-12',
  uri: 'https://json-schema.org/draft/2020-12/schema',
  isRootObject: false,
  needsItems: false,
});
