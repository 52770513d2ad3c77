import type { Dialect } from '../definition/dialect.ts';
import { createSubsetDialect } from '../subset/create-subset-dialect.ts';

/**
 * Anthropic with `strict: true` on a tool, and structured outputs. Bounds of numbers and lengths of strings are refused,
 * recursion too; every object is closed. Keys may be left out, but few of them: 24 in all strict tools of a request
 * together, and 16 unions; these are held within one schema here.
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
  mostMinItems: 1,
  keys: /^[a-zA-Z0-9_.-]{1,64}$/,
  emptyObjects: true,
  limits: { optionalKeys: 24, unions: 16 },
});
