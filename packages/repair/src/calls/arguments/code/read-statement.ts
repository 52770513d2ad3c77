import { hasCharacter, matchAt, type GrowingText, type Reading } from '../../source/growing-text.ts';

const BEFORE_CALL =
  /(?:(?:const|let|var) {1,4})?(?:([A-Za-z_]\w{0,60})(?: {0,2}: {0,2}[A-Za-z_][\w.,[\]]{0,40})? {0,4}= {0,4}(?!=))?(?:await {1,4})?/y;
const COMMENT = /(?:#|\/\/)[^\n]{0,400}/y;
const BETWEEN_CALLS =
  /(?:[\s,;]|(?:print|console\.log)\(\s{0,4}([A-Za-z_]\w{0,60})(?:\.\w{1,60}|\[[^\]\n]{1,60}\]){0,4}\s{0,4}\))/y;

/** What stands before a call in a program: `x = `, `const x = await `. */
export interface StatementStart {
  /** Where the call begins. */
  readonly at: number;
  /** What its result is called. */
  readonly variable: string | undefined;
}

/** Reads what may stand before a call in a statement; nothing has to. */
export function* readStatementStart(source: GrowingText, from: number): Reading<StatementStart> {
  const [found = '', variable] = (yield* matchAt(source, BEFORE_CALL, from)) ?? [];
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
export function* passBetweenStatements(
  source: GrowingText,
  from: number,
  variables: ReadonlySet<string>,
): Reading<StatementEnd> {
  let at = from;
  let end = from;
  for (;;) {
    const match = yield* matchAt(source, BETWEEN_CALLS, at);
    if (match === null) {
      const comment = yield* endOfComment(source, at);
      if (comment === at) return { at, end };
      at = comment;
      continue;
    }
    const [found, printed] = match;
    if (printed !== undefined && !variables.has(printed)) return { at, end };
    at += found.length;
    if (printed !== undefined || found === ';') end = at;
  }
}

/** Where the comment that begins at an offset ends with its line; the offset itself when none does. */
function* endOfComment(source: GrowingText, at: number): Reading<number> {
  const comment = yield* matchAt(source, COMMENT, at);
  if (comment === null) return at;
  const end = at + comment[0].length;
  return (yield* hasCharacter(source, end)) && source.text[end] !== '\n' ? at : end;
}
