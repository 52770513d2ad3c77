import { mask, namesSecret, redactText } from '../mask-text.ts';
import { isRecord } from './is-record.ts';

const maxShown = 60;
/** Maximum number of characters of a string to inspect. The rest is never shown. */
const maxRead = 1_000;

/** Runs of letters and digits that are too long for a word, such as vendor keys and tokens in unknown formats. */
const keyLike = /(?=[A-Za-z_-]*\d)(?=[\d_-]*[A-Za-z])[A-Za-z0-9_-]{20,}/g;
const credentialsInUrl = /(:\/\/)[^/\s@]{1,200}@/g;
/** Characters that break the line or change the text direction. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Formats a value on one line for an error message. Never shows the members of an object, or a string that may be a
 * secret.
 *
 * @param path - the path of the option; a name such as `apiKey` hides the value.
 * @example
 * import { showValue } from '@haft/core/options';
 * showValue([1, 'two']); // => 'a list'
 * showValue('abc', 'apiKey'); // => 'a string of 3 characters'
 */
export function showValue(value: unknown, path = ''): string {
  if (typeof value === 'string')
    return namesSecret(lastName(path)) ? `a string of ${value.length} characters` : showText(value);
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return 'a symbol';
  if (Array.isArray(value)) return 'a list';
  if (isRecord(value)) return isPromise(value) ? 'a promise: await it' : 'an object';
  return namesSecret(lastName(path)) && value !== undefined && value !== null ? `a ${typeof value}` : String(value);
}

/** Formats the name of an option in the same way. */
export function showName(name: string): string {
  const shown = showText(name);
  return /^"[\w$.-]+"$/.test(shown) ? shown.slice(1, -1) : shown;
}

function showText(text: string): string {
  const masked = redactText(text.slice(0, maxRead).replace(credentialsInUrl, `$1${mask}@`))
    .replace(keyLike, mask)
    .replace(invisible, ' ');
  return JSON.stringify(masked.length > maxShown ? `${masked.slice(0, maxShown)}…` : masked);
}

function lastName(path: string): string {
  return /[\w$-]*$/.exec(path.replace(/\[\d+\]$/, ''))?.[0] ?? '';
}

function isPromise(value: object): boolean {
  try {
    return 'then' in value && typeof value.then === 'function';
  } catch {
    return false;
  }
}
