export { parsePattern, type CharacterRange, type ParsedPattern, type PatternTree } from './patterns/pattern-tree.ts';
