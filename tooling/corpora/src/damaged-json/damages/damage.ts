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

/** The tokens of a document that a damage touches. Two damages can be combined if they touch no common token. */
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
  /** The name in the seed, if the damage was renamed: its cases stay the same. */
  readonly seed?: string;
  readonly group: DamageGroup;
  readonly touches: readonly Aspect[];
  /** Whether the result may still be valid JSON, with a different value. */
  readonly parses?: true;
  /**
   * For classes that need a schema: whether the schema decides the meaning of characters and brackets, or whether a
   * value must be converted, which is a validator's work.
   */
  readonly decides?: 'characters' | 'values';
  /** Returns the damaged document. Returns undefined if this document does not support the damage. */
  apply(draft: Draft, random: Random): Draft | undefined;
}
