import type { Draft } from '../../json-documents/draft.ts';
import type { Random } from '../../random.ts';

export type DamageGroup =
  | 'string'
  | 'quotes'
  | 'literal'
  | 'structure'
  | 'style'
  | 'wrapper'
  | 'concatenation'
  | 'truncation'
  | 'ambiguous'
  | 'schema';

/** What of a document a damage touches. Two damages fit together when they touch nothing in common. */
export type Aspect =
  | 'strings'
  | 'delimiters'
  | 'keys'
  | 'numbers'
  | 'words'
  | 'commas'
  | 'colons'
  | 'closers'
  | 'openers'
  | 'spaces'
  | 'before'
  | 'after'
  | 'whole';

/** One way in which documents break. */
export interface Damage {
  readonly name: string;
  readonly group: DamageGroup;
  readonly touches: readonly Aspect[];
  /** The result may still be valid JSON, only of something else than was meant. */
  readonly parses?: true;
  /**
   * For classes that only a schema decides: whether it decides what the characters and brackets meant, or whether one
   * value is to become another, which is a validator's work.
   */
  readonly decides?: 'characters' | 'values';
  /** The damaged document; nothing when this document cannot break in this way. */
  apply(draft: Draft, random: Random): Draft | undefined;
}
