import type { Reach } from './reach-tracker.ts';

/** A piece of a word, as it is written. */
export type WordPart =
  /** Characters that stand for themselves; unquoted ones may be patterns, braces or a tilde. */
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  /** A variable or parameter. */
  | { readonly kind: 'parameter'; readonly parameter: Parameter; readonly isQuoted: boolean }
  /** The output of commands: `$(…)` and backticks. */
  | { readonly kind: 'output'; readonly commands: readonly ShellCommand[]; readonly isQuoted: boolean }
  /** The name of a pipe to commands: `<(…)` and `>(…)`. */
  | { readonly kind: 'pipe'; readonly commands: readonly ShellCommand[]; readonly isQuoted: boolean }
  /** The value of `$((…))`. */
  | { readonly kind: 'number'; readonly isQuoted: boolean };

/** A variable with what is done to its value. */
export interface Parameter {
  readonly name: string;
  /** Written with braces, which tell where its name ends. */
  readonly isBraced: boolean;
  /** Such as `:-`; empty for the plain value, `length` for `${#x}`, `other` for what is not worked out. */
  readonly operator: string;
  /** What follows the operator, as written. */
  readonly operand: string;
}

/** One word of a command, as the shell would pass it on. */
export interface ShellWord {
  /** Quotes and escapes removed; expansions stand as written. */
  readonly text: string;
  /** The text is the value: no variable, substitution, tilde or pattern is left to expand. */
  readonly isLiteral: boolean;
  /** A `*`, `?` or `[` that is a character, not a pattern. */
  readonly hasQuotedPattern: boolean;
  /** Commands inside substitutions of this word. */
  readonly nested: readonly ShellCommand[];
  /** The pieces it is made of. */
  readonly parts: readonly WordPart[];
}

/** One command without operators. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** `NAME=value` before the command. */
  readonly assignments: readonly ShellWord[];
  readonly redirections: readonly Redirection[];
  /** Number of the pipeline it stands in: commands joined by `|` share one. */
  readonly pipeline: number;
  /** What the words belong to when they are no command: `for`, `select`, `case`, `[[`, `function`, or a pattern of `case`. */
  readonly construct?: ShellConstruct;
  /** It is the text of a here-document, which Bash expands before a program reads it. */
  readonly isExpandedText?: true;
  /** The part of the line that runs only after it; undefined where that is not certain. */
  readonly reach?: Reach;
}

/** Text that Bash evaluates once more when it runs, whatever quotes it stands in. */
export interface Evaluation {
  /** `name`: a name whose subscript is arithmetic; `prompt`: expanded like a prompt. */
  readonly kind: 'arithmetic' | 'name' | 'prompt';
  readonly parts: readonly WordPart[];
}

/** Where a command reads from or writes to. */
export interface Redirection {
  readonly operator: string;
  readonly target: ShellWord;
}

/** Grammar that words can belong to instead of being a command. */
export type ShellConstruct = 'for' | 'select' | 'case' | '[[' | 'function' | 'pattern';
