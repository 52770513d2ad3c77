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

function isMisread(value: string | number | boolean | null, shape: Shape): boolean {
  if (value === null || !shape.takesText) return false;
  if (typeof value === 'string') return brokenPath.test(value);
  const { kinds } = shape;
  return kinds?.has(typeof value) === false && !(typeof value === 'number' && kinds.has('integer'));
}
