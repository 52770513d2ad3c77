import * as char from '../text/char.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import type { Shape } from './shape.ts';

/** A drive letter and then a control character: `C:\new` with its backslash taken for an escape. */
const brokenPath = /^[A-Za-z]:[\b\f\n\r\t]/;
/** What is nested deeper is not looked at. */
const maxDepth = 1_000;

/**
 * Whether valid JSON holds something that is declared as text and reads differently as such: a number or a word whose
 * spelling counts, or a Windows path. Every call with valid arguments comes this way, so it looks at little else.
 */
export function contradicts(value: JsonValue, shape: Shape, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return isMisread(value, shape);
  if (depth > maxDepth) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const item = value[index] as JsonValue;
      const declared = isAsWritten(item) ? undefined : shape.item(index);
      if (declared !== undefined && contradicts(item, declared, depth + 1)) return true;
    }
    return false;
  }
  const members = value as JsonObject;
  for (const key in members) {
    const member = members[key] as JsonValue;
    const declared = isAsWritten(member) ? undefined : shape.member(key);
    if (declared !== undefined && contradicts(member, declared, depth + 1)) return true;
  }
  return false;
}

/** Whether a value is itself whatever is declared: null, and all text but a path. */
function isAsWritten(value: JsonValue): boolean {
  return typeof value === 'string' ? value.charCodeAt(1) !== char.colon : value === null;
}

/** Most parts that {@link isSmallAndMeant} looks at. Larger values are checked by their text. */
const maxParts = 32;

/**
 * Checks in one walk that a small value has only finite numbers and contradicts nothing that is declared. False means that
 * the value needs a closer look. Every call with valid arguments comes this way.
 */
export function isSmallAndMeant(value: JsonValue, shape: Shape | undefined): boolean {
  return partsLeft(value, shape, maxParts) > 0;
}

/** How many parts may still come after those of a value; 0 if there are too many, or one of them needs a closer look. */
function partsLeft(value: JsonValue, shape: Shape | undefined, most: number): number {
  if (typeof value === 'string') return value.charCodeAt(1) === char.colon ? 0 : most - 1;
  if (typeof value === 'number' && !Number.isFinite(value)) return 0;
  if (typeof value !== 'object' || value === null) return shape !== undefined && isMisread(value, shape) ? 0 : most - 1;
  let left = most - 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left > 0; index += 1) {
      const item = value[index] as JsonValue;
      left = partsLeft(item, typeof item === 'string' ? undefined : shape?.item(index), left);
    }
    return left;
  }
  const members = value as JsonObject;
  for (const key in members) {
    const member = members[key]!;
    left = partsLeft(member, typeof member === 'string' ? undefined : shape?.member(key), left);
    if (left <= 0) return 0;
  }
  return left;
}

function isMisread(value: string | number | boolean | null, shape: Shape): boolean {
  if (value === null || !shape.takesText) return false;
  if (typeof value === 'string') return brokenPath.test(value);
  const { kinds } = shape;
  return kinds?.has(typeof value) === false && !(typeof value === 'number' && kinds.has('integer'));
}
