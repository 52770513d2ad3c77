import { mask, namesSecret, redactText } from '../mask-text.ts';
import { isRecord } from './is-record.ts';

const maxShown = 60;
/** Characters of a string that are looked at; the rest is never shown. */
const maxRead = 1_000;

/** Runs of letters and digits that are too long for a word: keys and tokens of vendors without a known shape. */
const keyLike = /(?=[A-Za-z_-]*\d)(?=[\d_-]*[A-Za-z])[A-Za-z0-9_-]{20,}/g;
const credentialsInUrl = /(:\/\/)[^/\s@]{1,200}@/g;
/** What would break the line, or change the direction of the text after it. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Shows a value in a few words on one line, for an error message. Never shows the members of an object, and no string that
 * is, or may be, a secret.
 *
 * @param path - the option that the value was given for; a name such as `apiKey` hides the value.
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

/** Shows the name of an option as it was written, in the same way. */
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
