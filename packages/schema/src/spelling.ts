/**
 * An edit distance for "did you mean" suggestions.
 *
 * @packageDocumentation
 */
export { countSlips } from './spelling/edit-distance.ts';
