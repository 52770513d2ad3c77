/** Something wrong with an option. */
export interface OptionFault {
  /** Where, such as `retries.attempts` or `roots[0]`. */
  readonly path: string;
  /** What is wrong there, such as `is not valid (expected a function, got 5)`. */
  readonly problem: string;
}

/** The kind of value that an option takes. */
export interface OptionKind<in Value> {
  /** Completes the sentence "expected …". */
  readonly expected: string;
  /** Finds what is wrong with a value. Returns undefined if the value is of this kind. */
  readonly findFault: (value: unknown, path: string) => OptionFault | undefined;
  /**
   * Exists for the compiler alone: a kind that refuses values which the type of an option allows can't stand in the table
   * of its options.
   */
  readonly accepts?: (value: Value) => void;
}

/** The kind of an option that can't be left out. */
export interface RequiredKind<in Value> extends OptionKind<Value> {
  readonly isRequired: true;
}

/** Marks the kind of an option that can't be left out. */
export function required<Value>(kind: OptionKind<Value>): RequiredKind<Value> {
  return { ...kind, isRequired: true };
}

/**
 * The kind of each option of an interface. The compiler refuses a table that lacks an option, has another one, or does not
 * mark as required what is.
 */
export type OptionTable<Options extends object> = {
  readonly [Name in keyof Options]-?: {} extends Pick<Options, Name>
    ? OptionKind<Exclude<Options[Name], undefined>> & { readonly isRequired?: never }
    : RequiredKind<Options[Name]>;
};

/** A table of any options. */
export type AnyOptionTable = Readonly<Record<string, OptionKind<never> & { readonly isRequired?: true }>>;
