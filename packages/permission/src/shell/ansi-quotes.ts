/** A text in `$'…'` and where it ends. */
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
};

/** Reads what follows `$'`, with its escapes resolved: `$'\x72m'` is `rm`. */
export function readAnsiQuoted(text: string, from: number): AnsiQuoted {
  let content = '';
  let at = from;
  while (at < text.length) {
    if (text[at] === "'") return { content, end: at + 1, isClosed: true };
    if (text[at] !== '\\') {
      content += text[at];
      at += 1;
      continue;
    }
    const coded = /^\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))/.exec(
      text.slice(at, at + 10),
    );
    if (coded) {
      const hex = coded[1] ?? coded[2] ?? coded[3];
      const code = hex === undefined ? Number.parseInt(coded[4] ?? '0', 8) : Number.parseInt(hex, 16);
      content += String.fromCodePoint(Math.min(code, 0x10ffff));
      at += coded[0].length;
    } else {
      const next = text[at + 1] ?? '';
      content += named[next] ?? next;
      at += 2;
    }
  }
  return { content, end: at, isClosed: false };
}
