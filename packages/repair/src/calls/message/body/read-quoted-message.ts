import { readValue } from '../../../json/document/read-value.ts';
import type { EnvelopeIndex } from '../../source/envelope-index.ts';
import { endedText, type GrowingText, readToEnd } from '../../source/growing-text.ts';
import { type PlacedCalls, readBody } from './read-body.ts';

// After the quote, escaped or not: an object, a list, a tag or token, or a name and its parenthesis.
const quotedCallPattern =
  /(?:\[\s{0,20})?["'`](?:\\?[\s"]|\\[nt]){0,9}(?:[{[<]|functools|[A-Za-z_$][\w.$-]{0,127}\s{0,9}\()/y;

/** How a message begins that may be nothing but calls between quotes. */
export const quotedCall: RegExp = quotedCallPattern;

/**
 * Reads a message that is nothing but calls between quotes, or a list of such texts. Where they stand in it means nothing:
 * they take the whole.
 */
export function readQuotedMessage(source: GrowingText, message: string, index: EnvelopeIndex): readonly PlacedCalls[] {
  const placed = quotedTexts(message).map((text) => readWhole(source, text, index));
  return placed.every((calls) => calls.length > 0) ? placed.flat() : [];
}

/** The calls that make up the whole of a text; none when anything else stands in it too. */
function readWhole(source: GrowingText, text: string, index: EnvelopeIndex): readonly PlacedCalls[] {
  const placed = readToEnd(readBody(endedText({ ...source, text }), 0, index, false, []));
  const last = placed.at(-1);
  return last === undefined || text.slice(last.end).trim() !== '' ? [] : placed;
}

function quotedTexts(message: string): readonly string[] {
  const [first = ''] = message;
  if (first === '[') return listedTexts(message);
  if (message.length < 4 || first !== message.at(-1) || !`"'\``.includes(first)) return [];
  return [unquote(message)];
}

/** `["f(a=1)", "g()"]` */
function listedTexts(message: string): readonly string[] {
  if (!/^\[\s{0,20}["']/.test(message) || !message.endsWith(']')) return [];
  const { root, ending, rootEnd, failure, risk } = readValue(message, 0, 'value');
  if (failure !== undefined || ending !== 'closed' || rootEnd !== message.length || risk === 'lossy') return [];
  return Array.isArray(root) && root.every((item) => typeof item === 'string') ? root : [];
}

function unquote(quoted: string): string {
  if (quoted.startsWith('"')) {
    try {
      return String(JSON.parse(quoted));
    } catch {
      // Quotes around text that was never escaped.
    }
  }
  return quoted.slice(1, -1);
}
