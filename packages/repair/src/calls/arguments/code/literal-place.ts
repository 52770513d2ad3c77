/** How calls written like code may be laid out. */
export interface CallLiteralLayout {
  /** Whether they may stand in brackets, `[f(a=1), g()]`. */
  readonly isList?: boolean;
  /** Whether they may stand in a program: `x = f(a=1)`, `await f()`, `print(f(a=1))`, with comments between them. */
  readonly isProgram?: boolean;
}

/** Where calls written like code stand. */
export interface LiteralPlace {
  readonly layout: CallLiteralLayout;
  /** What may end them; may be missing in the text. */
  readonly closers: readonly string[];
  /** Whether a declared tool's name and a parenthesis make a call, which is reported if it cannot be read. */
  readonly isCertain: boolean;
}
