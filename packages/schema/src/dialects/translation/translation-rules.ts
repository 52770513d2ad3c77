/** The deviations of a provider that reads all of JSON Schema, as plain data. Each field is one documented rule. */
export interface TranslationRules {
  /** The spelling of tuples, definitions and dependencies. */
  readonly draft: '2020-12' | 'draft-07';
  /** The value of `$schema`. If absent, neither `$schema` nor `$id` is written. */
  readonly uri?: string;
  /** Whether the root must be `type: "object"` without `anyOf`, `enum` and similar keywords beside it. */
  readonly isRootObject: boolean;
  /** Whether every list must declare its items with an object. */
  readonly needsItems: boolean;
  /** Allowed form of keys. Other keys are renamed, and renamed back when an answer is raised. */
  readonly keys?: RegExp;
}
