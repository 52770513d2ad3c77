import { isJsonObject, type JsonValue } from './json-value.ts';
import { kindOf, type Shape } from './shape.ts';

// A drive letter and then a control character: `C:\new` with its backslash taken for an escape.
const BROKEN_PATH = /^[A-Za-z]:[\b\f\n\r\t]/;

/**
 * Whether valid JSON holds something that was declared as text and reads differently as such: a number or a word whose
 * spelling counts, or a Windows path. Looks only at what is declared.
 */
export function contradicts(value: JsonValue, shape: Shape): boolean {
  const pending: { readonly value: JsonValue; readonly shape: Shape }[] = [{ value, shape }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: part, shape: declared } = next;
    if (Array.isArray(part)) {
      for (const [index, item] of part.entries()) {
        const inner = declared.item(index);
        if (inner !== undefined) pending.push({ value: item, shape: inner });
      }
    } else if (isJsonObject(part)) {
      for (const key of Object.keys(part)) {
        const inner = declared.member(key);
        if (inner !== undefined) pending.push({ value: part[key] ?? null, shape: inner });
      }
    } else if (isMisread(part, declared)) {
      return true;
    }
  }
  return false;
}

function isMisread(value: JsonValue, { kinds }: Shape): boolean {
  if (kinds === undefined || value === null || !kinds.has('string')) return false;
  if (typeof value === 'string') return BROKEN_PATH.test(value);
  return !kinds.has(kindOf(value)) && !(typeof value === 'number' && kinds.has('integer'));
}
