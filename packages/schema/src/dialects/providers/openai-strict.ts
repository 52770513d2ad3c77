import type { Dialect } from '../definition/dialect.ts';
import { createSubsetDialect } from '../subset/create-subset-dialect.ts';

/**
 * OpenAI with `strict: true`: structured outputs and strict functions. Every key is required and every object closed.
 * Refuses `allOf`, `not`, conditions, `oneOf` and unlisted formats, so only listed keywords are sent.
 */
export const openaiStrict: Dialect = createSubsetDialect({
  name: 'openai-strict',
  source: 'https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas',
  isStrict: true,
  keywords: [
    'pattern',
    'format',
    'multipleOf',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'minItems',
    'maxItems',
  ],
  formats: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
  enumTypes: ['string', 'number', 'boolean', 'null'],
  optional: 'null',
  undeclared: 'closed',
  nullable: 'type-list',
  recursion: 'references',
  tuples: false,
  emptyObjects: true,
  limits: {
    depth: 10,
    properties: 5000,
    enumValues: 1000,
    longEnum: { values: 250, characters: 15_000 },
    characters: 120_000,
  },
});
