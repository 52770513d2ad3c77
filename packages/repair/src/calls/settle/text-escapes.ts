import type { JsonObject, JsonValue } from '../../json/result/json-value.ts';
import type { Repair } from '../../json/result/repair-result.ts';
import { decodeEntities } from '../../json/text/encoding-layers.ts';

/** A way in which a model escaped all texts of a call. */
interface TextEscape {
  readonly code: string;
  readonly remove: (text: string) => string;
}

const markdown: TextEscape = {
  code: 'markdown-escape',
  remove: (text) => text.replaceAll(/\\([_*[\]])/g, '$1'),
};
const html: TextEscape = { code: 'html-entities', remove: decodeEntities };

/** Returns whether a name contains characters that were escaped for Markdown: `tide\_level`. */
export function isEscapedName(name: string): boolean {
  return /\\[_*[\]]/.test(name);
}

/**
 * Returns how the texts of a call are escaped, if they are. For Markdown, the name is escaped too, because LaTeX has similar
 * backslashes. For HTML, as many strings as the whole call has are between entities: its texts and keys, and `name`, the name
 * and `arguments`.
 */
export function escapeOf(name: string, value: JsonObject, repairs: readonly Repair[]): TextEscape | undefined {
  if (isEscapedName(name)) return markdown;
  const escaped = repairs.filter(({ code }) => code === 'entity-quotes').length;
  if (escaped === 0) return undefined;
  const texts: string[] = [];
  mapTexts(value, (text) => {
    texts.push(text);
    return text;
  });
  return escaped >= texts.length + 3 ? html : undefined;
}

const maxDepth = 32;

/** Applies a function to all keys and texts in a value, up to a depth of 32. */
export function mapTexts(value: JsonValue, change: (text: string) => string, depth = 0): JsonValue {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => mapTexts(item, change, depth + 1));
  const members = Object.entries(value as JsonObject);
  return Object.fromEntries(members.map(([key, one]) => [change(key), mapTexts(one, change, depth + 1)]));
}
