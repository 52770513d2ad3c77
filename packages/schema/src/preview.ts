import { isRecord } from './json-value.ts';

const limit = 60;

/** Cuts text to at most `max` characters, appends an ellipsis if cut, and never splits a surrogate pair. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = max - 1;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** Returns clipped JSON text of a scalar or small value. */
export function quote(value: unknown, max: number): string {
  // Encodes only the visible part: a megabyte string costs as little as a short one.
  const short = typeof value === 'string' && value.length > max ? value.slice(0, max) : value;
  const text = JSON.stringify(short) ?? String(value);
  return typeof value === 'string' && value.length > max ? clip(`${text}…`, max) : clip(text, max);
}

/** Describes a received value in at most 60 characters: `string "10.5"`, `array of 3`, `object {a, b}`, `nothing`. */
export function previewReceived(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return `string ${quote(value, limit - 7)}`;
    case 'number':
      return `number ${String(value)}`;
    case 'boolean':
      return `boolean ${String(value)}`;
    case 'object':
      if (Array.isArray(value)) return value.length === 0 ? 'empty array' : `array of ${value.length}`;
      if (!isRecord(value)) return clip(Object.prototype.toString.call(value).slice(8, -1), limit);
      return previewKeys(Object.keys(value));
    default:
      return typeof value;
  }
}

function previewKeys(keys: readonly string[]): string {
  if (keys.length === 0) return 'empty object';
  return clip(`object {${keys.slice(0, 12).join(', ')}}`, limit);
}
