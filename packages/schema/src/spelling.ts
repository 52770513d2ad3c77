/**
 * An edit distance for "did you mean" suggestions, and a check of schemas for misspelled keywords.
 *
 * @packageDocumentation
 */
export { checkSchemaSpelling } from './document/check-schema-spelling.ts';
export { countSlips } from './spelling/edit-distance.ts';
