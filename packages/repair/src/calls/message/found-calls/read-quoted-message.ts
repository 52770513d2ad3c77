import { readValue } from '../../../json/document/read-value.ts';
import { GrowingText, readToEnd } from '../../source/growing-text.ts';
import { parseJson } from '../../../json/document/read-valid-document.ts';
import { type EnvelopeCalls, readBody } from './read-found-calls.ts';

/** The beginning of a message that may consist only of quoted calls. */
export const quotedCall: RegExp =
  /(?:\[\s{0,20})?["'`](?:\\?[\s"]|\\[nt]){0,9}(?:[{[<]|functools|[A-Za-z_$][\w.$-]{0,127}\s{0,9}\()/y;

/** Reads a message that consists only of quoted calls, or of a list of such texts. All calls have the whole range. */
export function readQuotedMessage(source: GrowingText, message: string): readonly EnvelopeCalls[] {
  const found = quotedTexts(message).map((text) => {
    const inner = new GrowingText(source, text);
    inner.index = source.index;
    const calls = readToEnd(readBody(inner, 0, false, []));
    // The text must contain nothing else.
    return text.slice(calls.at(-1)?.end ?? 0).trim() === '' ? calls : [];
  });
  return found.every((calls) => calls.length > 0) ? found.flat() : [];
}

function quotedTexts(message: string): readonly string[] {
  const quote = message.charAt(0);
  if (quote !== '[') {
    if (!message.endsWith(quote)) return [];
    // The text between the quotes may not be escaped.
    const text = parseJson(message);
    return [typeof text === 'string' ? text : message.slice(1, -1)];
  }
  // `["f(a=1)", "g()"]`
  const { root, ending, rootEnd, risk } = readValue(message, 0, 'beforeValue');
  const isWhole = ending === 'closed' && rootEnd === message.length && risk !== 'lossy';
  return isWhole && Array.isArray(root) && root.every((item) => typeof item === 'string') ? root : [];
}
