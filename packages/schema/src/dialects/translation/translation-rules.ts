/** What a reader of whole JSON Schema takes, where it differs from others: plain data, each field one documented rule. */
export interface TranslationRules {
  /** How tuples, definitions and dependencies are spelt. */
  readonly draft: '2020-12' | 'draft-07';
  /** The value of `$schema`; without one, neither `$schema` nor `$id` is written. */
  readonly uri?: string;
  /** Whether the root has to be `type: "object"` without `anyOf`, `enum` and their like beside it. */
  readonly isRootObject: boolean;
  /** Whether every list has to say by an object what its items are. */
  readonly needsItems: boolean;
  /** The form of keys; others are renamed, and named back when an answer is raised. */
  readonly keys?: RegExp;
}
