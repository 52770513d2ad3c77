/** Replacement text for a secret. */
export const mask = '[redacted]';

const secretKey =
  /(?:^|[-_.])(?:pass(?:word|phrase|wd)?|secret|token|api[-_]?key|authorization|credentials?|private[-_]key|access[-_]key|cookie)$/;

/** Checks whether a key names a secret: `password`, `api_key`, `authorization`, `accessToken` … */
export function namesSecret(key: string): boolean {
  return key.length <= 100 && secretKey.test(key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase());
}

/** Patterns of secrets in free text. Each replacement keeps the part that shows the kind of secret. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s{1,20}[A-Za-z0-9._~+/=-]{8,}/g, `$1 ${mask}`],
  [/\bAKIA[0-9A-Z]{16}\b/g, mask],
  [/\bgh[pousr]_[A-Za-z0-9]{20,}\b/g, mask],
  [/\bsk-[A-Za-z0-9_-]{16,}\b/g, mask],
  [/\bgsk_[A-Za-z0-9]{20,}\b/g, mask],
  [/\b(?:github_pat_|glpat-|npm_|hf_|xox[abeprs]-)[A-Za-z0-9_-]{10,}/g, mask],
  [/(:\/\/[^\s/@:]{0,100}:)[^\s/@]{1,200}(?=@)/g, `$1${mask}`],
  [/\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g, mask],
];

/**
 * Masks bearer headers, key-value secrets, known key formats and private keys in free text. Makes one pass per pattern.
 * Keeps ordinary words after a name and a colon, such as `the token: expired yesterday`.
 *
 * @example
 * import { redactText } from '@haft/core';
 * redactText('curl -H "Authorization: Bearer abcdefghijklmnop"'); // => 'curl -H "Authorization: [redacted]"'
 */
export function redactText(text: string): string {
  let result = text.includes('-----BEGIN ') ? maskPrivateKeys(text) : text;
  if (result.includes('eyJ')) result = maskTokens(result);
  for (const [pattern, replacement] of shapes) result = result.replace(pattern, replacement);
  return maskNamedValues(result);
}

const keyOpener = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g;
const keyCloser = /-----END [A-Z ]{0,40}PRIVATE KEY-----/g;

/** Masks private keys from the opening line to the closing line, or to the end of truncated text. */
function maskPrivateKeys(text: string): string {
  let result = '';
  let done = 0;
  for (;;) {
    keyOpener.lastIndex = done;
    const opener = keyOpener.exec(text);
    if (!opener) return result + text.slice(done);
    keyCloser.lastIndex = keyOpener.lastIndex;
    const closer = keyCloser.exec(text);
    result += text.slice(done, opener.index) + mask;
    if (!closer) return result;
    done = keyCloser.lastIndex;
  }
}

/** A secret's name and the separator before its value: `password: `, `"api_key":`, `\"token\": `, `SECRET=`. */
const nameOfSecret =
  /(?:pass(?:word|phrase|wd)|secret|(token|api[-_]?key|(?:private|access)[-_]key)|(authorization|cookie)|credentials?)\\{0,4}["']?\s{0,3}[=:]\s{0,3}/gi;
const bareValue = /[^\s"'&,;\\]{4,}/y;
const headerValue = /[^\r\n"'\\]{4,}/y;

/** Words with which a sentence continues after `the token: `, and names of types. None of them is a secret. */
const proseWords: ReadonlySet<string> = new Set(
  'absent boolean cannot could declare denied empty expected expired failed false found invalid malformed missing must none null number optional rejected required revoked should string true undefined unexpected unset'.split(
    ' ',
  ),
);
/** A word of at most 12 letters. */
const word = /([A-Za-z][a-z]{0,11})(?=[\s.:!?)]|$)/y;
/** The next word of a sentence. A name with a value, as in a list of values, is not part of a sentence. */
const nextWord = /[.:!?)]?[ \t][a-z]{2,20}(?=[ \t.!?)]|$)(?![ \t]{0,3}[:=])/y;

/**
 * Masks the values after names of secrets: a quoted value completely, and an unquoted value up to its end. Keeps the
 * words of a sentence, such as `the token: expired yesterday`.
 */
function maskNamedValues(text: string): string {
  let result = '';
  let done = 0;
  for (;;) {
    nameOfSecret.lastIndex = done;
    const name = nameOfSecret.exec(text);
    if (!name) return result + text.slice(done);
    const [opener, generated, header] = name;
    const from = nameOfSecret.lastIndex;
    if (header === undefined && /:\s+$/.test(opener) && isProse(text, from, generated !== undefined)) {
      result += text.slice(done, from);
      done = from;
      continue;
    }
    const [start, end] = findValue(text, from, header === undefined ? bareValue : headerValue);
    result += text.slice(done, start) + (end > start ? mask : '');
    done = end;
  }
}

/**
 * Checks whether the text at this offset is prose instead of a secret. A person may choose a word as a password, so only
 * known words count after such a name. A generated secret, such as a token, is not one short word within a sentence.
 */
function isProse(text: string, from: number, isGenerated: boolean): boolean {
  word.lastIndex = from;
  const found = word.exec(text)?.[1];
  if (found === undefined) return false;
  if (proseWords.has(found.toLowerCase())) return true;
  // The name of another secret, whose value follows.
  if (text[from + found.length] === ':' && namesSecret(found)) return true;
  nextWord.lastIndex = from + found.length;
  return isGenerated && nextWord.test(text);
}

/** Returns the range of the value at this offset without its quotes, or an empty range if there is no value. */
function findValue(text: string, from: number, bare: RegExp): readonly [start: number, end: number] {
  let open = from;
  while (text[open] === '\\' && open - from < 4) open += 1;
  const quote = text[open];
  if (quote !== '"' && quote !== "'") {
    bare.lastIndex = from;
    return bare.test(text) ? [from, bare.lastIndex] : [from, from];
  }
  const isEscaped = open > from;
  let at = open + 1;
  for (; at < text.length && text[at] !== quote; at += 1) {
    if (text[at] !== '\\') continue;
    // In text that was quoted twice, the backslash before the closing quote ends the value.
    if (isEscaped) break;
    at += 1;
  }
  return [open + 1, Math.min(at, text.length)];
}

/** Runs of characters that JSON Web Tokens can contain. */
const run = /[A-Za-z0-9_-]{2,}(?:\.[A-Za-z0-9_-]+)*/g;

/** Masks JSON Web Tokens: three segments of at least eight characters, with `eyJ` at the start of the first. */
function maskTokens(text: string): string {
  return text.replace(run, (whole) => {
    if (!whole.includes('eyJ') || !whole.includes('.')) return whole;
    const parts = whole.split('.');
    let from = 0;
    let result = '';
    for (let index = 0; index < parts.length; index += 1) {
      const start = startOfToken(parts[index]!);
      const isToken = start !== -1 && (parts[index + 1]?.length ?? 0) >= 8 && (parts[index + 2]?.length ?? 0) >= 8;
      if (!isToken) continue;
      result += `${[...parts.slice(from, index), parts[index]!.slice(0, start)].join('.')}${mask}`;
      index += 2;
      from = index + 1;
      if (from < parts.length) result += '.';
    }
    return from === 0 ? whole : result + parts.slice(from).join('.');
  });
}

/**
 * Returns the offset in a segment at which a token may begin: at the start or after a hyphen, followed by at least
 * eight characters. Returns -1 if there is no such offset.
 */
function startOfToken(part: string): number {
  for (let at = part.indexOf('eyJ'); at !== -1; at = part.indexOf('eyJ', at + 1)) {
    if (at === 0 || part[at - 1] === '-') return part.length - at >= 11 ? at : -1;
  }
  return -1;
}
