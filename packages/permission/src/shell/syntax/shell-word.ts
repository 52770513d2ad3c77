/** A segment of a word, as written. */
export type WordPart =
  /** Literal text. Unquoted text may contain patterns, braces or a tilde. */
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  /** A variable or parameter. */
  | { readonly kind: 'parameter'; readonly parameter: Parameter; readonly isQuoted: boolean }
  /** The output of commands: `$(…)` and backticks. */
  | { readonly kind: 'output'; readonly commands: readonly ShellCommand[]; readonly isQuoted: boolean }
  /** The file name of a process substitution: `<(…)` and `>(…)`. */
  | { readonly kind: 'pipe'; readonly commands: readonly ShellCommand[]; readonly isQuoted: boolean }
  /** The value of `$((…))`. */
  | { readonly kind: 'number'; readonly isQuoted: boolean };

/** A variable, with the operation on its value. */
export interface Parameter {
  readonly name: string;
  /** True if the name is in braces, which mark its end. */
  readonly isBraced: boolean;
  /**
   * The operator, such as `:-`. Empty for the plain value, `length` for `${#x}`, `other` for operations that are not
   * computed.
   */
  readonly operator: string;
  /** The text after the operator, as written. */
  readonly operand: string;
}

/** One word of a command, as the shell would pass it on. */
export interface ShellWord {
  /** The text without quotes and escapes. Expansions are kept as written. */
  readonly text: string;
  /** True if the text is the value: it contains no variable, substitution, tilde or pattern to expand. */
  readonly isLiteral: boolean;
  /** True if a `*`, `?` or `[` is quoted, so it is a literal character and not a pattern. */
  readonly hasQuotedPattern: boolean;
  /** Commands inside substitutions of this word. */
  readonly nested: readonly ShellCommand[];
  /** The segments of the word. */
  readonly parts: readonly WordPart[];
}

/** One command without operators. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** `NAME=value` before the command. */
  readonly assignments: readonly ShellWord[];
  readonly redirections: readonly Redirection[];
  /** Number of the pipeline. Commands joined by `|` share one. */
  readonly pipeline: number;
  /**
   * The construct that the words belong to if they are not a command: `for`, `select`, `case`, `[[`, `function`, or a
   * pattern of `case`.
   */
  readonly construct?: ShellConstruct;
  /** True for the text of a here-document that Bash expands before a program reads it. */
  readonly isExpandedText?: true;
  /** The range of the line that runs only after this command. Undefined if uncertain. */
  readonly reach?: Reach;
}

/** Text that Bash evaluates again when it runs, even if it is quoted. */
export interface Evaluation {
  /** `name`: a name whose subscript is arithmetic; `prompt`: expanded like a prompt. */
  readonly kind: 'arithmetic' | 'name' | 'prompt';
  readonly parts: readonly WordPart[];
}

/** The source or target of a command's input or output. */
export interface Redirection {
  readonly operator: string;
  readonly target: ShellWord;
}

/** Grammar that words can belong to instead of a command. */
export type ShellConstruct = 'for' | 'select' | 'case' | '[[' | 'function' | 'pattern';

/** The range of a line that runs only after a certain command. */
export interface Reach {
  /** Start index of the command itself. */
  readonly from: number;
  /** End index of the command itself. Its own words are expanded before it runs. */
  readonly behind: number;
  readonly end: number;
}
