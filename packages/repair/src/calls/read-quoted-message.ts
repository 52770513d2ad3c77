import type { EnvelopeIndex } from './envelope-index.ts';
import type { Source } from './envelope.ts';
import { readBody, type PlacedCalls } from './read-body.ts';

/** Reads a message that is nothing but calls between quotes; they take the whole of it. */
export function readQuotedMessage(
  source: Source,
  start: number,
  end: number,
  index: EnvelopeIndex,
): readonly PlacedCalls[] {
  const quoted = source.text.slice(start, end);
  const quote = quoted[0];
  if (quoted.length < 4 || quote !== quoted.at(-1) || !(quote === '"' || quote === "'" || quote === '`')) return [];
  const text = unquote(quoted);
  const inner: Source = { ...source, text, budget: text.length, finds: new Map(), unending: new Set() };
  const placed = readBody(inner, 0, index, false);
  const last = placed.at(-1);
  if (last === undefined || text.slice(last.end).trim() !== '') return [];
  return placed.map((one) => ({ ...one, start, end }));
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
