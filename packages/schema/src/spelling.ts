/**
 * An edit distance for "did you mean" suggestions.
 *
 * @packageDocumentation
 */
export { countSlips } from './values/count-slips.ts';
