/**
 * An edit distance for "did you mean" suggestions.
 *
 * @packageDocumentation
 */
export { countSlips } from './values/edit-distance.ts';
