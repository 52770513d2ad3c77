import type { ShellCommand } from '../syntax/shell-word.ts';

/** A word as the command receives it, as far as the line shows. */
export interface RunWord {
  /** The text without quotes and escapes and with variables replaced. Unknown parts are kept as written. */
  readonly text: string;
  /** True if the word can only be this text, or a match of the pattern. */
  readonly isKnown: boolean;
  /** The glob whose matches replace the word, with quoted characters escaped. */
  readonly glob: string | undefined;
  /** True if a `*`, `?` or `[` in the word is literal. */
  readonly hasQuotedPattern: boolean;
  /** Commands inside the substitutions of the word. */
  readonly nested: readonly ShellCommand[];
  /** True if a part of the text is a placeholder for a number that is not computed. */
  readonly hasNumber?: true;
}

/** A possible value of a variable or a substitution: a text, or the names that match a pattern. */
export interface Value {
  readonly text: string;
  readonly glob?: string;
  /** True if the value may be anything. The text only shows what was written. */
  readonly isOpen?: true;
  /**
   * True for an unknown value that is a number or comes from the environment. Evaluated as arithmetic, it runs nothing.
   */
  readonly isHarmless?: true;
  /** True if a part of the text is a placeholder for a number that is not computed. */
  readonly isNumber?: true;
}

/** The values of a number that is not computed. A negative number may be mistaken for an option. */
export const numberValues: readonly Value[] = [
  { text: '0', isNumber: true },
  { text: '-0', isNumber: true },
];

/** The known values at the position of a word. */
export interface Scope {
  /** Returns all values that a variable may hold. */
  valuesOf(name: string): readonly Value[];
  /** Returns whether the line sets the variable. */
  isSet(name: string): boolean;
  /** Returns all values that the variable may hold if the line does not set it. */
  valuesByDefault(name: string): readonly Value[];
  /** Returns the output of commands, or undefined if it is unknown. */
  outputOf(commands: readonly ShellCommand[]): string | undefined;
  /** Returns whether the commands print a number. */
  printsNumber(commands: readonly ShellCommand[]): boolean;
  /** True while values are checked for what their evaluation runs. A harmless value then counts as a number. */
  readonly isEvaluating: boolean;
  /** True if words are split at blanks. False if the line sets `IFS` itself. */
  readonly splitsAtBlanks: boolean;
  /** Returns whether a value of this length may still be inserted. Values that grow without end are not followed. */
  takeRoom(length: number): boolean;
  readonly home: string | undefined;
}
