import { isDigit, isNameStart } from '../../../json/text/characters.ts';
import { behind, type GrowingText, hasCharacter, matchAt, type Reading } from '../../source/growing-text.ts';

const statementStartPattern =
  /(?:(?:const|let|var) {1,4})?(?:([A-Za-z_]\w{0,60})(?: {0,2}: {0,2}[A-Za-z_][\w.,[\]]{0,40})? {0,4}= {0,4}(?!=))?(?:await {1,4})?/y;

const commentPattern = /(?:#|\/\/)[^\n]{0,400}/y;

const betweenCallsPattern =
  /(?:[\s,;]|(?:print|console\.log)\(\s{0,4}([A-Za-z_]\w{0,60})(?:\.\w{1,60}|\[[^\]\n]{1,60}\]){0,4}\s{0,4}\))/y;

/** Reads what may precede a call in a statement, `x = ` or `const x = await `: the offset of the call, and the variable. */
export function* readStatementStart(
  source: GrowingText,
  from: number,
): Reading<{ readonly at: number; readonly variable: string | undefined }> {
  const [found = '', variable] = (yield* matchAt(source, statementStartPattern, from)) ?? [];
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
    const match = yield* matchAt(source, betweenCallsPattern, at);
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

/** Returns the end of the line of the comment at an offset, or the offset itself if there is no comment. */
function* endOfComment(source: GrowingText, at: number): Reading<number> {
  const end = yield* behind(source, commentPattern, at);
  return (yield* hasCharacter(source, end)) && source.text[end] !== '\n' ? at : end;
}

const maxNameLength = 256;

/** Returns the end of a name with dots, dashes and escaped underscores, or `from` if no name begins there. */
export function* endOfName(source: GrowingText, from: number): Reading<number> {
  if (!(yield* hasCharacter(source, from)) || !isNameStart(source.text.charCodeAt(from))) return from;
  let at = from + 1;
  while (yield* hasCharacter(source, at)) {
    const code = source.text.charCodeAt(at);
    if (source.text[at] === '\\') {
      if (!(yield* hasCharacter(source, at + 1)) || source.text[at + 1] !== '_') return at;
      at += 1;
    } else if (!isNameStart(code) && !isDigit(code)) {
      const isJoint = source.text[at] === '.' || source.text[at] === '-' || source.text[at] === '/';
      if (!isJoint || !(yield* hasCharacter(source, at + 1)) || !isNameStart(source.text.charCodeAt(at + 1))) return at;
    }
    at += 1;
    if (at - from > maxNameLength) return from;
  }
  return at;
}
