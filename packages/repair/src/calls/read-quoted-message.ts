import { readValue } from '../json/read-value.ts';
import type { EnvelopeIndex } from './envelope-index.ts';
import type { Source } from './envelope.ts';
import { readBody, type PlacedCalls } from './read-body.ts';

/** Reads a message that is nothing but calls between quotes, or a list of such texts; they take the whole of it. */
export function readQuotedMessage(
  source: Source,
  start: number,
  end: number,
  index: EnvelopeIndex,
): readonly PlacedCalls[] {
  const texts = quotedTexts(source.text.slice(start, end));
  const placed = texts.map((text) => readWhole(source, text, index));
  return placed.every((calls) => calls.length > 0) ? placed.flat().map((one) => ({ ...one, start, end })) : [];
}

/** The calls that make up the whole of a text; none when anything else stands in it too. */
function readWhole(source: Source, text: string, index: EnvelopeIndex): readonly PlacedCalls[] {
  const inner: Source = { ...source, text, budget: text.length, finds: new Map(), unending: new Set() };
  const placed = readBody(inner, 0, index, false);
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
  const machine = readValue(message, 0, 'value');
  const { root, ending, rootEnd } = machine;
  if (machine.failure !== undefined || ending !== 'closed' || rootEnd !== message.length || machine.risk === 'lossy')
    return [];
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
