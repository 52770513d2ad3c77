import { isJsonObject, type JsonObject, type JsonValue } from '../../json/result/json-value.ts';

const ESCAPE = /\\([_*[\]])/g;
const DEEPEST = 32;

/** Whether a name has underscores or other signs that were escaped for Markdown: `tide\_level`. */
export function isEscapedName(name: string): boolean {
  return /\\[_*[\]]/.test(name);
}

/** Removes the escapes of Markdown from a name. */
export function unescapeName(name: string): string {
  return name.replaceAll(ESCAPE, '$1');
}

/**
 * Removes the escapes of Markdown from arguments. Keys never hold any of their own. Values are left alone unless the name
 * of the call or a key has been escaped, since regular expressions and LaTeX have backslashes that look the same.
 */
export function unescapeArguments(value: JsonObject, isName: boolean): JsonObject {
  return isName || hasEscapedKey(value, 0) ? (unescape(value, 0) as JsonObject) : value;
}

function hasEscapedKey(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false;
  if (!Array.isArray(value) && Object.keys(value).some(isEscapedName)) return true;
  return (Object.values(value) as readonly JsonValue[]).some((member) => hasEscapedKey(member, depth + 1));
}

function unescape(value: JsonValue, depth: number): JsonValue {
  if (typeof value === 'string') return unescapeName(value);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => unescape(item, depth + 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [unescapeName(key), unescape(member, depth + 1)]),
  );
}
