/** Codes of an {@link Issue}, for every kind of schema. */
export const issueCodes = [
  'type',
  'required',
  'unknown_key',
  'enum',
  'const',
  'union',
  'not',
  'never',
  'minimum',
  'maximum',
  'exclusive_minimum',
  'exclusive_maximum',
  'multiple_of',
  'min_length',
  'max_length',
  'pattern',
  'format',
  'min_items',
  'max_items',
  'unique_items',
  'contains',
  'min_properties',
  'max_properties',
  'key_name',
  'dependent_required',
  'limit',
  'custom',
] as const;

/** One of {@link issueCodes}. `custom`: only the library's own schema reports it. */
export type IssueCode = (typeof issueCodes)[number];

/** One mistake in a value. The same mistake gives the same issue, whatever kind of schema found it. */
export interface Issue {
  /** Path in the value, from `$`: `$.items[2].name`, `$["odd key"]`. */
  readonly path: string;
  readonly code: IssueCode;
  /** The accepted values: `integer`, `one of "a", "b"`, `at least 1`. */
  readonly expected: string;
  /** The received value, in at most 60 characters: `string "10.5"`, `nothing`. */
  readonly received: string;
  /** One English sentence that stands alone. */
  readonly message: string;
  /** JSON text of a value that is accepted at `path`, if one can be derived. */
  readonly example?: string;
}
