/** Maximum number of nested encodings to remove. */
const maxLayers = 3;
const encoded =
  /(?<!\\)\\+(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([0-3][0-7]{2})|([nrt]))|&(?:amp;)*(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));|((?:%[\da-f]{2})+)/gi;
const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lbrace: '{',
  rbrace: '}',
  lcub: '{',
  rcub: '}',
  lbrack: '[',
  rbrack: ']',
  lsqb: '[',
  rsqb: ']',
  lpar: '(',
  rpar: ')',
  colon: ':',
  comma: ',',
  equals: '=',
  lowbar: '_',
  sol: '/',
  bsol: '\\',
  period: '.',
};

/** Decodes escapes of JSON and source code, HTML entities, percent-encoding and quoted-printable, in linear time. */
export function decodeText(text: string): string {
  let plain = text.includes('=3D') ? text.replace(quoted, decodeQuoted) : text.replace(/=\r?\n/g, '');
  for (let layer = 0; layer < maxLayers; layer += 1) {
    const before = plain;
    plain = before.replace(encoded, decodeOne);
    if (plain === before) break;
  }
  return plain;
}

function decodeOne(whole: string, ...groups: readonly (string | undefined)[]): string {
  const [braced, four, two, octal, control, hex, decimal, name, percent] = groups;
  if (control !== undefined) return '\n';
  if (percent !== undefined) return decodePercent(percent);
  if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
  const digits = braced ?? four ?? two ?? hex;
  const code =
    digits === undefined
      ? Number.parseInt(octal ?? decimal ?? '', octal === undefined ? 10 : 8)
      : Number.parseInt(digits, 16);
  return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Matches the escapes of quoted-printable, which always escapes the equals sign. */
const quoted = /=\r?\n|=([\dA-F]{2})/g;

function decodeQuoted(_: string, hex?: string): string {
  return hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16));
}
