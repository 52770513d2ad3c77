import type { Dialect } from '../definition/dialect.ts';
import { createSubsetDialect } from '../subset/create-subset-dialect.ts';

/**
 * Gemini by its older fields, `parameters` and `responseSchema`: a message of fixed fields in the manner of OpenAPI 3.0,
 * where an unknown field is an error. `enum` takes strings, null is a flag, and an object needs a key. Where the root
 * has none, leave `parameters` out.
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
