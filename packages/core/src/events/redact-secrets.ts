const mask = '[redacted]';
const secretKey =
  /(?:^|[-_.])(?:pass(?:word|phrase|wd)?|secret|token|api[-_]?key|authorization|credentials?|private[-_]key|access[-_]key|cookie)$/;

/** Shapes of secrets inside free text; each keeps the part that says what was there. */
const secretText: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/g, `$1 ${mask}`],
  [/\b((?:api[-_]?key|token|secret|password)\s{0,3}[=:]\s{0,3})["']?[^\s"'&,;]{4,}/gi, `$1${mask}`],
  [/\bAKIA[0-9A-Z]{16}\b/g, mask],
  [/\bgh[pousr]_[A-Za-z0-9]{20,}\b/g, mask],
  [/\bsk-[A-Za-z0-9_-]{16,}\b/g, mask],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g, mask],
];

const keyOpener = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g;
const keyCloser = /-----END [A-Z ]{0,40}PRIVATE KEY-----/g;

/** Masks private keys from opener to closer, or to the end of the text when it was cut. One pass. */
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

function namesSecret(key: string): boolean {
  return key.length <= 100 && secretKey.test(key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase());
}

/** Masks bearer headers, key-value secrets, well-known key shapes and private keys in free text. */
export function redactText(text: string): string {
  let result = text.includes('-----BEGIN ') ? maskPrivateKeys(text) : text;
  for (const [pattern, replacement] of secretText) result = result.replace(pattern, replacement);
  return result;
}

/**
 * Copies a value with secrets masked: members whose key names a secret (`password`, `api_key`, `authorization` …)
 * and secret-looking text inside strings. Nothing outside JSON is looked into; nesting beyond 32 levels is cut.
 */
export function redactSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= 32) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redactSecrets(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const masked = namesSecret(key) && member !== null && member !== '' ? mask : redactSecrets(member, depth + 1);
    Object.defineProperty(copy, key, { value: masked, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}
