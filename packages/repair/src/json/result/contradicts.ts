import * as char from '../text/char.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import type { Shape } from './shape.ts';

// A drive letter and then a control character: `C:\new` with its backslash taken for an escape.
const brokenPathPattern = /^[A-Za-z]:[\b\f\n\r\t]/;
const maxDepth = 64;

/**
 * Whether valid JSON holds something that was declared as text and reads differently as such: a number or a word whose
 * spelling counts, or a Windows path. Looks only at what is declared.
 */
export function contradicts(value: JsonValue, shape: Shape): boolean {
  return containsMisread(value, shape, 0);
}

/** Walks the value itself as far as that is safe, since every call with valid arguments comes this way. */
function containsMisread(value: JsonValue, shape: Shape, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return isMisread(value, shape);
  if (depth > maxDepth) return findMisread(value, shape);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const item = value[index] as JsonValue;
      if (!isAsWritten(item) && isMisreadAs(item, shape.item(index), depth)) return true;
    }
    return false;
  }
  const members = value as JsonObject;
  for (const key in members) {
    const member = members[key]!;
    if (!isAsWritten(member) && isMisreadAs(member, shape.member(key), depth)) return true;
  }
  return false;
}

function isMisreadAs(part: JsonValue, shape: Shape | undefined, depth: number): boolean {
  if (shape === undefined) return false;
  return typeof part === 'object' ? containsMisread(part, shape, depth + 1) : isMisread(part, shape);
}

/** What is itself whatever was declared: all text but a path, told by a look that costs less than the declaration. */
function isAsWritten(value: JsonValue): boolean {
  if (typeof value === 'string') return value.charCodeAt(1) !== char.colon;
  return value === null || (Array.isArray(value) && isTextAsWritten(value));
}

function isTextAsWritten(items: readonly JsonValue[]): boolean {
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (typeof item !== 'string' || item.charCodeAt(1) === char.colon) return false;
  }
  return true;
}

/** The same for what is nested deeper than a stack may go. */
function findMisread(whole: JsonValue, declared: Shape): boolean {
  const pending: { readonly value: JsonValue; readonly shape: Shape }[] = [{ value: whole, shape: declared }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, shape } = next;
    if (typeof value !== 'object' || value === null) {
      if (isMisread(value, shape)) return true;
      continue;
    }
    for (const [key, member] of Object.entries(value) as readonly (readonly [string, JsonValue])[]) {
      const inner = Array.isArray(value) ? shape.item(Number(key)) : shape.member(key);
      if (inner !== undefined) pending.push({ value: member, shape: inner });
    }
  }
  return false;
}

/** Most parts that {@link isPlainlyMeant} looks at. Larger values are checked by their text. */
const maxPlainParts = 32;

/**
 * Checks in one walk that a small value has only finite numbers and contradicts nothing that is declared. False means that
 * the value needs a closer look. Every call with valid arguments comes this way.
 */
export function isPlainlyMeant(value: JsonValue, shape: Shape | undefined): boolean {
  return plainPartsLeft(value, shape, maxPlainParts) > 0;
}

/** How many parts may still come after those of a value; 0 if there are too many, or one of them needs a closer look. */
function plainPartsLeft(value: JsonValue, shape: Shape | undefined, most: number): number {
  if (typeof value === 'string') return value.charCodeAt(1) === char.colon ? 0 : most - 1;
  if (typeof value === 'number' && !Number.isFinite(value)) return 0;
  if (typeof value !== 'object' || value === null) return shape !== undefined && isMisread(value, shape) ? 0 : most - 1;
  let left = most - 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left > 0; index += 1) {
      const item = value[index] as JsonValue;
      left = plainPartsLeft(item, typeof item === 'string' ? undefined : shape?.item(index), left);
    }
    return left;
  }
  const members = value as JsonObject;
  for (const key in members) {
    const member = members[key]!;
    left = plainPartsLeft(member, typeof member === 'string' ? undefined : shape?.member(key), left);
    if (left <= 0) return 0;
  }
  return left;
}

function isMisread(value: string | number | boolean | null, shape: Shape): boolean {
  if (value === null || !shape.takesText) return false;
  if (typeof value === 'string') return brokenPathPattern.test(value);
  const { kinds } = shape;
  return kinds?.has(typeof value) === false && !(typeof value === 'number' && kinds.has('integer'));
}
