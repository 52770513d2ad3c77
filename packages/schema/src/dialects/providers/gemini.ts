import type { Dialect } from '../definition/dialect.ts';
import { createSubsetDialect } from '../subset/create-subset-dialect.ts';

/**
 * Gemini's JSON Schema fields, `parametersJsonSchema` and `responseJsonSchema`. Reads only listed keywords; `enum`
 * accepts strings and numbers. Recursive references work only below optional keys, so recursion is unrolled.
 */
export const gemini: Dialect = createSubsetDialect({
  name: 'gemini',
  source: 'https://ai.google.dev/gemini-api/docs/structured-output#json_schema_support',
  keywords: ['format', 'minimum', 'maximum', 'minItems', 'maxItems'],
  formats: ['date-time', 'date', 'time'],
  enumTypes: ['string', 'number'],
  optional: 'absent',
  undeclared: 'schema',
  nullable: 'type-list',
  recursion: 'unrolled',
  tuples: true,
  keys: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
  emptyObjects: true,
  limits: {},
});
