import type { ShellCommand } from '../parse/shell-word.ts';

/** A word as a command gets it, as far as the line tells. */
export interface RunWord {
  /** Quotes and escapes removed, variables replaced; what is not known stands as written. */
  readonly text: string;
  /** The text, or what matches the pattern, is all that it can be. */
  readonly isKnown: boolean;
  /** The pattern by whose matches the shell replaces it, quoted characters escaped. */
  readonly glob: string | undefined;
  /** A `*`, `?` or `[` in it is a character, not a pattern. */
  readonly hasQuotedPattern: boolean;
  /** Commands inside its substitutions. */
  readonly nested: readonly ShellCommand[];
}

/** What a variable or a substitution may stand for: a text, or the names that match a pattern. */
export interface Value {
  readonly text: string;
  readonly glob?: string;
  /** It may be anything; the text only shows what was written. */
  readonly isOpen?: true;
  /** It is not known, but it is a number or comes from the environment: evaluated as arithmetic, it runs nothing. */
  readonly isHarmless?: true;
}

/** What is known where a word stands. */
export interface Scope {
  /** All that a variable may hold. */
  valuesOf(name: string): readonly Value[];
  /** Whether the line sets it. */
  isSet(name: string): boolean;
  /** All that it may hold when the line does not set it. */
  valuesByDefault(name: string): readonly Value[];
  /** What commands print; undefined when that can't be told. */
  outputOf(commands: readonly ShellCommand[]): string | undefined;
  /** Whether commands print a number. */
  printsNumber(commands: readonly ShellCommand[]): boolean;
  /** Values are looked at for what evaluating them runs: a harmless one counts as a number. */
  readonly isEvaluating: boolean;
  /** Words are split at blanks; false once the line itself says where. */
  readonly splitsAtBlanks: boolean;
  /** Whether a value of so many characters may still be put in; what grows without end is not followed. */
  takeRoom(length: number): boolean;
  readonly home: string | undefined;
}
