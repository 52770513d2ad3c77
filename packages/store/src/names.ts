import { StoreError } from './store-error.ts';

/** The longest key, in bytes of UTF-8: index entries of every database hold it. */
export const maxKeyBytes = 1_024;

const collectionName = /^[a-z][a-z0-9]*(?:[._/-][a-z0-9]+)*$/;
const unusable = /[\p{Cc}\p{Cs}]/u;

/** Throws unless the name is one that a collection may have: `todos`, `mcp/connections`; at most 64 characters. */
export function checkCollectionName(name: string): void {
  if (typeof name !== 'string' || name.length > 64 || !collectionName.test(name)) {
    throw new StoreError(
      'INVALID_COLLECTION',
      `${quote(name)} can't name a collection: lower-case letters and digits, joined by one of . _ / -, at most 64 characters`,
    );
  }
}

/** Throws unless the text can be a key: at least one character, at most 1,024 bytes, no control characters. */
export function checkKey(key: string): void {
  if (key === '') throw new StoreError('INVALID_KEY', 'a key needs at least one character');
  checkKeyText(key, 'key');
}

/** Throws unless the text can be the beginning of a key; the empty text is one of every key. */
export function checkKeyText(text: string, what: string): void {
  if (typeof text !== 'string')
    throw new StoreError('INVALID_KEY', `the ${what} has to be a string, not ${quote(text)}`);
  if (unusable.test(text)) {
    throw new StoreError('INVALID_KEY', `the ${what} ${quote(text)} holds a control character or half a character`);
  }
  // No character takes more than three bytes for each of its units, so most keys need not be counted.
  if (text.length * 3 > maxKeyBytes && new TextEncoder().encode(text).length > maxKeyBytes) {
    throw new StoreError('INVALID_KEY', `the ${what} ${quote(text)} is longer than ${maxKeyBytes} bytes`);
  }
}

/**
 * Orders keys by their code points, which is how the bytes of UTF-8 are ordered in every database. JavaScript alone
 * would put characters beyond U+FFFF before some that are smaller.
 */
export function compareKeys(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = rankOf(left.charCodeAt(index)) - rankOf(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Surrogates stand for characters beyond U+FFFF, so they come after every other unit. */
function rankOf(unit: number): number {
  if (unit < 0xd8_00) return unit;
  return unit >= 0xe0_00 ? unit - 0x8_00 : unit + 0x20_00;
}

/** The smallest text that is greater than every key with this prefix; `undefined` when there is none. */
export function endOfPrefix(prefix: string): string | undefined {
  const characters = Array.from(prefix);
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const codePoint = last.codePointAt(0) ?? 0;
    if (codePoint === 0x10_ff_ff) continue;
    // Between U+D7FF and U+E000 there are no characters.
    const next = codePoint === 0xd7_ff ? 0xe0_00 : codePoint + 1;
    return characters.join('') + String.fromCodePoint(next);
  }
  return undefined;
}

function quote(value: unknown): string {
  if (typeof value !== 'string') return typeof value;
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}
