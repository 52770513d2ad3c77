import { isDigit, isNameStart } from '../../../json/text/characters.ts';

// A longer one is no name.
const LONGEST_WORD = 256;

/** Whether a word and a parenthesis stand at an offset, or what begins a statement, or may once there is more text. */
export function mayBeginWritten(text: string, at: number, ended: boolean, isLineStart: boolean): boolean {
  let end = at;
  while (end < text.length && end - at <= LONGEST_WORD && isWordPart(text.charCodeAt(end))) end += 1;
  if (end >= text.length) return !ended;
  if (end === at) return false;
  NAMED.lastIndex = end;
  return text[end] === '(' || NAMED.test(text) || (isLineStart && beginsStatement(text, at, end));
}

// What may stand between the name of a tool and an object of arguments; whatever is not there yet may still come.
const NAMED = /[ \t]{0,9}(?:arguments|args)?:?\s{0,20}(?:\{|$)/y;

const SIGN = /:? ?[\w.,[\]]{0,40} ?=/y;
const BEFORE = /^(?:await|const|let|var)$/;

/** Whether a word at the beginning of a line may be what a result is assigned to, or what stands before a call. */
function beginsStatement(text: string, at: number, end: number): boolean {
  SIGN.lastIndex = end;
  if (SIGN.test(text) || BEFORE.test(text.slice(at, Math.min(end, at + 6)))) return true;
  return text.length - end < 48 && /^:? ?[\w.,[\]]* ?$/.test(text.slice(end));
}

const STATEMENT = /(?:return|await|const|let|var|print)\b/y;
const BEHIND_WORD = /\s{0,20}(?:(?:arguments|args|parameters)[ \t]{0,9}:?\s{0,20})?(?:[({<=:["'`\\]|$)/y;

/** Returns false if the text from an offset begins with a word behind which no call can go on. */
export function mayOpenMessage(text: string, at: number): boolean {
  if (!isNameStart(text.charCodeAt(at))) return true;
  let end = at;
  while (end < text.length && end - at <= LONGEST_WORD && isWordPart(text.charCodeAt(end))) end += 1;
  STATEMENT.lastIndex = at;
  BEHIND_WORD.lastIndex = end;
  return STATEMENT.test(text) || BEHIND_WORD.test(text);
}

function isWordPart(code: number): boolean {
  return isNameStart(code) || isDigit(code) || code === 0x2d || code === 0x2e || code === 0x2f || code === 0x5c;
}
