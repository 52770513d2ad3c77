import type { Dialect } from '../definition/dialect.ts';
import { createSubsetDialect } from '../subset/create-subset-dialect.ts';

/**
 * Gemini's older fields, `parameters` and `responseSchema`: a fixed set of fields in the style of OpenAPI 3.0; an
 * unknown field is an error. `enum` accepts strings, null is a flag, and an object needs a key. If the root has no key,
 * omit `parameters`.
 */
export const geminiOpenApi: Dialect = createSubsetDialect({
  name: 'gemini-openapi',
  source: 'https://ai.google.dev/api/caching#Schema',
  keywords: [
    'format',
    'pattern',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
  ],
  formats: ['date-time'],
  enumTypes: ['string'],
  optional: 'absent',
  undeclared: 'unsaid',
  nullable: 'keyword',
  recursion: 'unrolled',
  tuples: false,
  keys: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
  emptyObjects: false,
  limits: {},
});
