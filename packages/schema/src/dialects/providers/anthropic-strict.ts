import type { Dialect } from '../definition/dialect.ts';
import { createSubsetDialect } from '../subset/create-subset-dialect.ts';

/**
 * Anthropic with `strict: true` on a tool, and structured outputs. Refuses bounds of numbers, lengths of strings and
 * recursion; every object is closed. Few keys may be optional: 24 in all strict tools of a request together, and 16
 * unions. Haft applies these limits to each schema.
 */
export const anthropicStrict: Dialect = createSubsetDialect({
  name: 'anthropic-strict',
  source: 'https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations',
  isStrict: true,
  keywords: ['pattern', 'format', 'minItems'],
  formats: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
  enumTypes: ['string', 'number', 'boolean', 'null'],
  optional: 'absent',
  undeclared: 'closed',
  nullable: 'type-list',
  recursion: 'unrolled',
  tuples: false,
  maxMinItems: 1,
  keys: /^[a-zA-Z0-9_.-]{1,64}$/,
  emptyObjects: true,
  limits: { optionalKeys: 24, unions: 16 },
});
