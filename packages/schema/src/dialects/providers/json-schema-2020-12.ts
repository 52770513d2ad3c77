import { createTranslationDialect } from '../translation/create-translation-dialect.ts';
import type { Dialect } from '../definition/dialect.ts';

/** JSON Schema draft 2020-12, with references inside the schema only. */
export const jsonSchema202012: Dialect = createTranslationDialect({
  name: 'json-schema-2020-12',
  source: 'https://json-schema.org/draft/2020-12/json-schema-validation',
  draft: '2020-12',
  uri: 'https://json-schema.org/draft/2020-12/schema',
  isRootObject: false,
  needsItems: false,
});
