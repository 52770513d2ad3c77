/** A text in `$'…'` and its end. */
export interface AnsiQuoted {
  readonly content: string;
  /** Index after the closing quote. */
  readonly end: number;
  readonly isClosed: boolean;
}

const named: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1B',
  E: '\x1B',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

const coded =
  /^\\(?:x\{([0-9a-fA-F]{1,8})\}|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([^]))/;

/** Reads the text after `$'` and resolves its escapes: `$'\x72m'` is `rm`. A NUL ends the text, as in a shell. */
export function readAnsiQuoted(text: string, from: number): AnsiQuoted {
  // Bash looks for the closing quote first: `\c` and other escapes never take it.
  let close = from;
  while (close < text.length && text[close] !== "'") close += text[close] === '\\' ? 2 : 1;
  const end = Math.min(close, text.length);
  const quoted = text.slice(from, end);
  let content = '';
  for (let at = 0; at < quoted.length;) {
    const next = readCharacter(quoted, at);
    if (next.value === '\0') break;
    content += next.value;
    // Only here, a backslash after `\c` may be escaped.
    at = next.end + (quoted.startsWith(String.raw`\c\\`, at) ? 1 : 0);
  }
  return { content, end: Math.min(end + 1, text.length), isClosed: end < text.length };
}

/** Resolves the escapes that `printf` and `echo -e` resolve. */
export function resolveEscapes(text: string): string {
  let resolved = '';
  for (let at = 0; at < text.length;) {
    // Both accept one more octal digit after a zero.
    const start = /^\\0[0-7]/.test(text.slice(at, at + 3)) ? at + 1 : at;
    const { value, end } =
      start === at ? readCharacter(text, at) : readCharacter(`\\${text.slice(start + 1, start + 4)}`, 0);
    resolved += value;
    at = start === at ? end : start + end;
  }
  return resolved;
}

/** Returns the code of `\c` and a character: of Delete for a question mark, of the control character otherwise. */
function controlCode(character: string): number {
  return character === '?' ? 0x7f : character.charCodeAt(0) & 0x1f;
}

function readCharacter(text: string, at: number): { readonly value: string; readonly end: number } {
  if (text[at] !== '\\') return { value: text[at]!, end: at + 1 };
  const found = coded.exec(text.slice(at, at + 12));
  if (!found) {
    const next = text[at + 1] ?? '';
    return { value: named[next] ?? `\\${next}`, end: at + 2 };
  }
  const [whole, ...groups] = found;
  const [octal, control] = groups.slice(4);
  const hex = groups.slice(0, 4).find((digits) => digits !== undefined);
  const code =
    control !== undefined
      ? controlCode(control)
      : hex === undefined
        ? Number.parseInt(octal ?? '0', 8) & 0xff
        : Number.parseInt(hex, 16);
  return { value: String.fromCodePoint(Math.min(code, 0x10ffff)), end: at + whole.length };
}
