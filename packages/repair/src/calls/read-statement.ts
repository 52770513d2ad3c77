const BEFORE_CALL = /(?:(?:const|let|var) {1,4})?(?:([A-Za-z_]\w{0,60}) {0,4}= {0,4}(?!=))?(?:await {1,4})?/y;
const BETWEEN_CALLS =
  /(?:[\s,;]|(?:#|\/\/)[^\n]{0,400}(?=\n|$)|(?:print|console\.log)\(\s{0,4}([A-Za-z_]\w{0,60})(?:\.\w{1,60}|\[[^\]\n]{1,60}\]){0,4}\s{0,4}\))/y;

/** What stands before a call in a program: `x = `, `const x = await `. */
export interface StatementStart {
  /** Where the call begins. */
  readonly at: number;
  /** What its result is called. */
  readonly variable: string | undefined;
}

/** Reads what may stand before a call in a statement; nothing has to. */
export function readStatementStart(text: string, from: number): StatementStart {
  BEFORE_CALL.lastIndex = from;
  const [found = '', variable] = BEFORE_CALL.exec(text) ?? [];
  return { at: from + found.length, variable };
}

/** What may stand between two statements, and how much of it belongs to the first. */
export interface StatementEnd {
  /** Where the next statement begins. */
  readonly at: number;
  /** Where the one before ends: after its semicolon, and after printing what it gave. */
  readonly end: number;
}

/** Passes over separators, comments and statements that only print one of the `variables`. */
export function skipBetweenStatements(text: string, from: number, variables: ReadonlySet<string>): StatementEnd {
  let at = from;
  let end = from;
  for (;;) {
    BETWEEN_CALLS.lastIndex = at;
    const match = BETWEEN_CALLS.exec(text);
    if (match === null) return { at, end };
    const [found, printed] = match;
    if (printed !== undefined && !variables.has(printed)) return { at, end };
    at += found.length;
    if (printed !== undefined || found === ';') end = at;
  }
}
