import type { GrowingText, Reading } from '../../source/growing-text.ts';

const statementStartPattern =
  /(?:(?:const|let|var) {1,4})?(?:([A-Za-z_]\w{0,60})(?: {0,2}: {0,2}[A-Za-z_][\w.,[\]]{0,40})? {0,4}= {0,4}(?!=))?(?:await {1,4})?/y;

const betweenCallsPattern =
  /(?:[\s,;]|(?:#|\/\/)[^\n]{0,400}(?![^\n])|(?:print|console\.log)\(\s{0,4}([A-Za-z_]\w{0,60})(?:\.\w{1,60}|\[[^\]\n]{1,60}\]){0,4}\s{0,4}\))/y;

/** Reads what may precede a call in a statement, `x = ` or `const x = await `: the offset of the call, and the variable. */
export function* readStatementStart(
  source: GrowingText,
  from: number,
): Reading<{ readonly at: number; readonly variable: string | undefined }> {
  const [found = '', variable] = (yield* source.matchAt(statementStartPattern, from)) ?? [];
  return { at: from + found.length, variable };
}

/** Skips separators, comments and the printing of `variables`. `end` is the end of the previous statement. */
export function* passBetweenStatements(
  source: GrowingText,
  from: number,
  variables: ReadonlySet<string>,
): Reading<{ readonly at: number; readonly end: number }> {
  let at = from;
  let end = from;
  for (;;) {
    const [found, printed] = (yield* source.matchAt(betweenCallsPattern, at)) ?? [];
    if (found === undefined || (printed !== undefined && !variables.has(printed))) return { at, end };
    at += found.length;
    if (printed !== undefined || found === ';') end = at;
  }
}

const letter = String.raw`[A-Za-z_$\u00c0-\u1fff\u3040-\ud7ff]`;
const letterOrDigit = letter.replace('_', '_0-9');
const namePattern = new RegExp(
  String.raw`${letter}(?:${letterOrDigit}|\\_|[./-](?=${letter})){0,255}(?!${letterOrDigit})`,
  'y',
);

/**
 * Returns the end of a name with dots, dashes and escaped underscores, or of a declared name with spaces. Returns `from` if
 * no name begins there.
 */
export function* endOfName(source: GrowingText, from: number): Reading<number> {
  const declared = yield* source.needleAt(source.namesWithSpaces, from);
  return declared === undefined ? yield* source.skipMatch(namePattern, from) : from + declared.length;
}
