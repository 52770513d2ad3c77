import { readValue } from '../../../json/document/read-value.ts';
import type { EnvelopeIndex } from '../../source/envelope-index.ts';
import { endedText, type GrowingText, readToEnd } from '../../source/growing-text.ts';
import { parseJson } from '../../source/parse-json.ts';
import { type PlacedCalls, readBody } from './read-placed-calls.ts';

/** The beginning of a message that may consist only of quoted calls. */
export const quotedCall: RegExp =
  /(?:\[\s{0,20})?["'`](?:\\?[\s"]|\\[nt]){0,9}(?:[{[<]|functools|[A-Za-z_$][\w.$-]{0,127}\s{0,9}\()/y;

/** Reads a message that consists only of quoted calls, or of a list of such texts. All calls have the whole range. */
export function readQuotedMessage(source: GrowingText, message: string, index: EnvelopeIndex): readonly PlacedCalls[] {
  const placed = quotedTexts(message).map((text) => readWhole(source, text, index));
  return placed.every((calls) => calls.length > 0) ? placed.flat() : [];
}

/** Returns the calls that make up a whole text, or an empty list if it contains anything else. */
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
  // The text between the quotes may not be escaped.
  const text = quoted.startsWith('"') ? parseJson(quoted) : undefined;
  return typeof text === 'string' ? text : quoted.slice(1, -1);
}
