import * as char from '../text/char.ts';
import { holdsInfinity } from './holds-infinity.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import type { Shape } from './declared-shape.ts';

/** A drive letter and a control character: `C:\new` with its backslash read as an escape. */
const brokenPath = /^[A-Za-z]:[\b\f\n\r\t]/;
/** Maximum nesting depth to check. */
const maxDepth = 1_000;

/**
 * Returns whether valid JSON contains a value that has another meaning as declared text: a number or a word whose
 * spelling matters, or a Windows path. The same is true of a number that is too large for a double. Every call with valid
 * arguments is checked, so the check is small and takes one walk.
 */
export function contradicts(value: JsonValue, shape: Shape | undefined, depth = 0): boolean {
  if (shape === undefined || depth > maxDepth) return holdsInfinity(value);
  if (typeof value !== 'object' || value === null) return isMisread(value, shape);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const item = value[index] as JsonValue;
      if (!isAsWritten(item) && contradicts(item, shape.item(index), depth + 1)) return true;
    }
    return false;
  }
  const members = value as JsonObject;
  for (const key in members) {
    const member = members[key] as JsonValue;
    if (!isAsWritten(member) && !isListOfTexts(member) && contradicts(member, shape.member(key), depth + 1))
      return true;
  }
  return false;
}

/** Returns whether a value has the same meaning for every declaration: null, and every text except a path. */
function isAsWritten(value: JsonValue): boolean {
  return typeof value === 'string' ? value.charCodeAt(1) !== char.colon : value === null;
}

function isListOfTexts(value: JsonValue): boolean {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index += 1) if (!isAsWritten(value[index] as JsonValue)) return false;
  return true;
}

function isMisread(value: string | number | boolean | null, shape: Shape): boolean {
  if (typeof value === 'number' && !Number.isFinite(value)) return true;
  if (value === null || !shape.takesText) return false;
  if (typeof value === 'string') return brokenPath.test(value);
  const { kinds } = shape;
  return kinds?.has(typeof value) === false && !(typeof value === 'number' && kinds.has('integer'));
}
