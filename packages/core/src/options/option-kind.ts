/** A fault in an option. */
export interface OptionFault {
  /** Path of the option, such as `retries.max` or `roots[0]`. */
  readonly path: string;
  /** The problem, such as `is not valid (expected a function, got 5)`. */
  readonly problem: string;
}

/** The kind of value that an option accepts. */
export interface OptionKind<in Value> {
  /** Completes the sentence "expected …". */
  readonly expected: string;
  /** Finds the fault in a value. Returns undefined if the value is of this kind. */
  readonly findFault: (value: unknown, path: string) => OptionFault | undefined;
  /**
   * Exists only for type checking: the compiler rejects a kind that does not accept all values of the option's type.
   */
  readonly accepts?: (value: Value) => void;
}

/** The kind of a required option. */
export interface RequiredKind<in Value> extends OptionKind<Value> {
  readonly isRequired: true;
}

/** Marks the kind of a required option. */
export function required<Value>(kind: OptionKind<Value>): RequiredKind<Value> {
  return { ...kind, isRequired: true };
}

/**
 * The kind of each option of an interface. The compiler rejects a table that omits an option, has an unknown option, or
 * does not mark a required option.
 */
export type OptionTable<Options extends object> = {
  readonly [Name in keyof Options]-?: {} extends Pick<Options, Name>
    ? OptionKind<Exclude<Options[Name], undefined>> & { readonly isRequired?: never }
    : RequiredKind<Options[Name]>;
};

/** A table of options whose names are not known to the compiler. */
export type AnyOptionTable = Readonly<Record<string, OptionKind<never> & { readonly isRequired?: true }>>;
