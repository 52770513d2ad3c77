import { StoreError } from './store-error.ts';

/** Maximum key size in UTF-8 bytes. Every database must be able to hold a key in an index entry. */
export const maxKeyBytes = 1_024;

const collectionName = /^[a-z][a-z0-9]*(?:[._/-][a-z0-9]+)*$/;
const invalidCharacter = /[\p{Cc}\p{Cs}]/u;

/**
 * Throws `INVALID_COLLECTION` unless the name is valid, for example `todos` or `mcp/connections` (at most 64
 * characters).
 */
export function checkCollectionName(name: string): void {
  if (typeof name !== 'string' || name.length > 64 || !collectionName.test(name)) {
    throw new StoreError(
      'INVALID_COLLECTION',
      `collection name: ${quote(name)} is invalid (expected lower-case letters and digits, joined by one of . _ / -, at most 64 characters)`,
    );
  }
}

/** Throws `INVALID_KEY` unless the text is a valid key: 1 character to 1,024 bytes, without control characters. */
export function checkKey(key: string): void {
  if (key === '') throw new StoreError('INVALID_KEY', 'key: is empty (expected at least one character)');
  checkKeyText(key, 'key');
}

/** Throws `INVALID_KEY` unless the text can be the prefix of a key. The empty string is a valid prefix. */
export function checkKeyText(text: string, label: string): void {
  if (typeof text !== 'string')
    throw new StoreError('INVALID_KEY', `${label}: invalid (expected a string, got ${quote(text)})`);
  if (invalidCharacter.test(text)) {
    throw new StoreError('INVALID_KEY', `${label}: ${quote(text)} contains a control character or a lone surrogate`);
  }
  // A UTF-16 code unit takes at most three bytes in UTF-8, so most keys need no exact count.
  if (text.length * 3 > maxKeyBytes && new TextEncoder().encode(text).length > maxKeyBytes) {
    throw new StoreError('INVALID_KEY', `${label}: ${quote(text)} is too long (expected at most ${maxKeyBytes} bytes)`);
  }
}

/**
 * Compares keys by code point, which is also the order of their UTF-8 bytes in every database. JavaScript's `<`
 * compares code units and would put characters beyond U+FFFF before some smaller ones.
 */
export function compareKeys(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = rankOf(left.charCodeAt(index)) - rankOf(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/**
 * Maps a code unit to its rank. Surrogates belong to characters beyond U+FFFF, so they sort after every other code
 * unit.
 */
function rankOf(unit: number): number {
  if (unit < 0xd8_00) return unit;
  return unit >= 0xe0_00 ? unit - 0x8_00 : unit + 0x20_00;
}

/** Returns the smallest string greater than every key with this prefix, or `undefined` if no such string exists. */
export function endOfPrefix(prefix: string): string | undefined {
  const characters = Array.from(prefix);
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const codePoint = last.codePointAt(0) ?? 0;
    if (codePoint === 0x10_ff_ff) continue;
    // The code points from U+D800 to U+DFFF are surrogates, not characters.
    const next = codePoint === 0xd7_ff ? 0xe0_00 : codePoint + 1;
    return characters.join('') + String.fromCodePoint(next);
  }
  return undefined;
}

function quote(value: unknown): string {
  if (typeof value !== 'string') return typeof value;
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}
