/**
 * A parser of regular expressions.
 *
 * @packageDocumentation
 */
export { parsePattern, type CharacterRange, type ParsedPattern, type PatternTree } from './patterns/pattern-tree.ts';
