/** One declaration of a `style` attribute. */
export interface Declaration {
  /** In lower case, unescaped. */
  readonly property: string;
  /** In lower case, unescaped, without `!important`. Comments and line ends become spaces, strings become empty. */
  readonly value: string;
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const escape = /\\(?:([\da-f]{1,6})(?:\r\n|[ \t\r\n\f])?|([^\r\n\f]))/iy;
/** Matches the rest of a URL without quotes, which may contain quotes. */
const bareAddress = /(?<=url\()\s*(?!["'\s])(?:\\[\s\S]|[^)\\])*/iy;
const string = /"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?/y;
const comment = /\/\*[\s\S]*?(?:\*\/|$)/y;

/**
 * Splits a `style` attribute into declarations according to CSS Syntax. Important declarations come last. Takes time in
 * proportion to its length.
 */
export function readDeclarations(style: string): readonly Declaration[] {
  const declarations: Declaration[] = [];
  const important: Declaration[] = [];
  const open: string[] = [];
  let property: string | undefined;
  let text = '';
  const end = (): void => {
    const mark = text.lastIndexOf('!');
    const value = (mark === -1 ? text : text.slice(0, mark)).trim();
    if (property !== undefined) (mark === -1 ? declarations : important).push({ property, value });
    property = undefined;
    text = '';
    open.length = 0;
  };
  const match = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(style);
  };
  for (let at = 0; at < style.length;) {
    const character = style[at]!;
    const skipped =
      (character === '"' || character === "'" ? match(string, at) : undefined) ??
      (character === '/' ? match(comment, at) : undefined) ??
      (style[at - 1] === '(' ? match(bareAddress, at) : undefined);
    if (skipped && skipped[0] !== '') {
      text += character === '/' ? ' ' : '""';
      at += skipped[0].length;
      continue;
    }
    const escaped = character === '\\' ? match(escape, at) : undefined;
    if (escaped) {
      const [whole, code, plain = ''] = escaped;
      text += (code === undefined ? plain : characterOf(Number.parseInt(code, 16))).toLowerCase();
      at += whole.length;
      continue;
    }
    at += 1;
    if (open.length === 0 && character === ';') end();
    else if (open.length === 0 && character === ':' && property === undefined) {
      property = text.trim();
      text = '';
    } else {
      if (character in closers) open.push(closers[character]!);
      else if (character === open.at(-1)) open.pop();
      text += /\s/.test(character) ? ' ' : character.toLowerCase();
    }
  }
  end();
  return [...declarations, ...important];
}

function characterOf(code: number): string {
  return code === 0 || code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff)
    ? '\uFFFD'
    : String.fromCodePoint(code);
}
