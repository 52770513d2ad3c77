import { mask, redactText } from '../mask-text.ts';

/** Maximum length of the text that a model reads of a thrown error. */
const maxLength = 1_000;
/** Longer messages are cut before they are masked, so that the cost of masking stays small. */
const maxMasked = 8_000;

// eslint-disable-next-line no-control-regex
const escapeSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]{0,1000}(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const stackFrame = /^\s*(?:at\s.*(?::\d+\)?|\((?:native|index \d+)\)|<anonymous>\)?)|File ".*", line \d.*)$/;
const lineBreak = /\r\n?|[\n\u2028\u2029]/;
const space = /[\s\p{Zs}\u2800]+/gu;
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\uFFFC]+/gu;
/** The start of a tag: `</untrusted-…>`, `<|im_start|>`, `<tool_call>`. */
const tagStart = /[<＜﹤](?=[/|!?A-Za-z])/g;
const codeFence = /`{3,}|~{3,}/g;

const quoted = /(["'`])(?=(?:file:)?~?[\\/]{1,3}[\w.@~-]|[A-Za-z]:[\\/])([^"'`]*)\1/;
const url = /\b([a-z][a-z0-9+.-]{1,20}):\/\/([^\s"'`<>]+)/;
const windowsPath = /(?<![A-Za-z0-9])(?:[A-Za-z]:[\\/]|\\\\)(?=[\w.@~-])/;
const posixPath = /(?<![\w.\\/~‹-])(?:~[\w-]*)?\/(?=[\w.@~-])/;
/** The rest of a path. A segment with one space is part of the path if a slash follows: `/Users/Ada Byron/notes`. */
const restOfPath = /[^\s"'`<>|,;:)\]}]*(?: [^\s"'`<>|,;:)\]}/\\]*[\\/][^\s"'`<>|,;:)\]}]*)*/;
const ipv4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.]*\d)/;
const ipv6 = /(?<![\w:])(?=[\da-f:]*::|(?:[\da-f]{1,4}:){5})\[?[\da-f]{0,4}(?::[\da-f]{0,4}){2,8}\]?(?::\d{1,5})?/;
const privateHost =
  /(?<![\w.-])(?:localhost|(?:[\w-]{1,63}\.){1,8}(?:internal|local|localdomain|lan|corp|intranet|home|svc))(?::\d{1,5})?(?![\w.-])/;

const location = new RegExp(
  [
    quoted.source,
    url.source,
    `((?:${windowsPath.source}|${posixPath.source})${restOfPath.source})`,
    `(${ipv4.source}|${ipv6.source}|${privateHost.source})`,
  ].join('|'),
  'gi',
);
const isAddress = new RegExp(`^(?:${ipv4.source}|${ipv6.source}|${privateHost.source})$`, 'i');

/**
 * Makes the text of a thrown error fit for a model: one line of at most 1,000 characters, without hidden characters,
 * stack frames, tags, absolute paths, internal addresses and secrets. Paths below the working directory become relative.
 *
 * @param cwd the working directory, if there is one.
 */
export function maskThrownText(text: string, cwd = ''): string {
  const clean = joinLines(withoutLongTail(text))
    .replace(invisible, '')
    .replace(tagStart, '‹')
    .replace(codeFence, (fence) => fence[0]!)
    .replace(space, ' ')
    .trim();
  const masked = maskLocations(redactText(clean), cwd.replace(/[\\/]+$/, ''));
  if (text.length <= maxMasked && masked.length <= maxLength) return masked;
  return `${masked
    .slice(0, maxLength - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}

/** Cuts at a space, because the first half of a secret may not look like a secret. */
function withoutLongTail(text: string): string {
  if (text.length <= maxMasked) return text;
  const kept = text.slice(0, maxMasked);
  return kept.slice(0, Math.max(0, kept.search(/\s\S*$/)));
}

function joinLines(text: string): string {
  return text
    .replace(escapeSequence, '')
    .split(lineBreak)
    .filter((line) => !stackFrame.test(line))
    .join(' ');
}

function maskLocations(text: string, cwd: string): string {
  return text.replace(location, (found: string, ...groups: readonly (string | undefined)[]) => {
    const [quote, inQuotes, scheme, afterScheme, path] = groups;
    if (inQuotes !== undefined) return `${quote}${maskPath(inQuotes, cwd)}${quote}`;
    if (scheme !== undefined) return maskUrl(scheme, afterScheme!);
    if (path !== undefined) return maskPath(path, cwd);
    return found === '' ? '' : '[address]';
  });
}

function maskPath(path: string, cwd: string): string {
  if (cwd !== '' && path === cwd) return '.';
  const isBelow = cwd !== '' && path.startsWith(cwd) && /[\\/]/.test(path.charAt(cwd.length));
  return isBelow ? path.slice(cwd.length + 1) : '[path]';
}

/** Keeps the address of a public web page without the user, the query and the fragment. */
function maskUrl(scheme: string, rest: string): string {
  if (/^file$/i.test(scheme)) return '[path]';
  const [, authority = '', path = ''] = /^([^/?#]*)([^?#]*)/.exec(rest)!;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const isWeb = /^(?:https?|wss?)$/i.test(scheme);
  const isPublic = isWeb && host.includes('.') && !isAddress.test(host);
  if (!isPublic) return `${scheme}://[address]`;
  const user = authority === host ? '' : `${mask}@`;
  return `${scheme}://${user}${host}${path}${/[?#]/.test(rest) ? '?…' : ''}`;
}
