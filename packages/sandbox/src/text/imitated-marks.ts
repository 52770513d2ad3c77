/** What is put where a text imitates a mark. */
const imitation = '[imitated mark]';

/** Every way to write an ASCII character: in text, HTML, URLs, JSON and source code. */
function anyFormOf(character: string, alike: string, entities: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  const escaped = `&(?:amp;|#38;)*(?:(?:${entities})\\b;?|#0*${code}\\b;?|#x0*${hex}\\b;?)`;
  return `(?:[${alike}]|${escaped}|%(?:25)*${hex}|\\\\{1,4}(?:u00${hex}|u\\{0*${hex}\\}|x${hex}))`;
}

const opening = anyFormOf('<', '<＜﹤‹〈⟨《«˂ᐸ❮❬⧼', 'lt');
const slash = `(?:${anyFormOf('/', '/⁄∕／⧸╱⟋', 'sol')}|${anyFormOf('\\', '＼', 'bsol')}|\\\\(?![ux])})`;
/** Finds the bracket, which is rare, with blanks and slashes behind it. The word is compared letter by letter. */
const bracket = new RegExp(`${opening}(?<between>(?:[\\s!?*_\`'"-]|${slash}){0,8})`, 'gi');
const anySlash = new RegExp(slash, 'i');
const codedCharacter =
  /&(?:amp;|#38;)*#x([\da-f]{1,6});?|&(?:amp;|#38;)*#(\d{1,7});?|\\{1,4}u\{([\da-f]{1,6})\}|\\{1,4}u([\da-f]{4})|\\{1,4}x([\da-f]{2})|%(?:25)*([\da-f]{2})/iy;
const restOfMark = /^(?:[^\n<>]{0,60}?(?:[>＞﹥›〉⟩]|&(?:amp;)*gt;?|&(?:amp;)*#62;?|\\{1,4}u003e|%3e)|[-\w]{0,60})/i;

const word = 'untrusted';
/** Letters that look like one of the word and that compatibility decomposition leaves alone. */
const lookAlikes: Readonly<Record<string, string>> = {
  u: 'υսᴜʋц∪ꭎ',
  n: 'ոռпηɴ',
  t: 'тτᴛᏆꭲ†',
  r: 'гᴦꭇʀɾ',
  s: 'ѕꜱƽ$5',
  e: 'еєҽ℮3ɛε',
  d: 'ԁժᴅđɗ',
};
const plainLetters: ReadonlyMap<string, string> = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) => Array.from(others).map((other) => [other, letter] as const)),
);
/** What may stand between the letters of an imitated word. */
const betweenLetters = /[\s\-_.*`'"~|+/\\!?,:;]/;
const maxUnits = 120;

/** Replaces what a reader could take for the beginning or the end of untrusted text, in whatever characters it is written. */
export function replaceMarks(text: string): string {
  let clean = '';
  let done = 0;
  for (const found of text.matchAll(bracket)) {
    const after = found.index + found[0].length;
    const isEnd = anySlash.test(found.groups?.['between'] ?? '');
    const length = markLength(text.slice(after, after + maxUnits), isEnd);
    if (length === 0) continue;
    clean += text.slice(done, found.index) + imitation;
    done = after + length;
  }
  return done === 0 ? text : clean + text.slice(done);
}

/** Number of units of the mark that a text begins with, 0 if it begins with another word. */
function markLength(text: string, isEnd: boolean): number {
  let at = 0;
  for (let matched = 0; matched < word.length;) {
    if (at >= text.length) return 0;
    const { character, units } = readCharacter(text, at);
    at += units;
    const letter = plainOf(character);
    if (letter === word[matched]) matched += 1;
    else if (letter !== '' && !betweenLetters.test(letter)) return 0;
  }
  const rest = text.slice(at);
  // `Map<UntrustedText>` is source code.
  if (!isEnd && /^\p{L}/u.test(rest)) return 0;
  return at + (restOfMark.exec(rest)?.[0].length ?? 0);
}

function readCharacter(text: string, at: number): { readonly character: string; readonly units: number } {
  codedCharacter.lastIndex = at;
  const coded = '&\\%'.includes(text[at]!) ? codedCharacter.exec(text) : null;
  if (coded) {
    const [, hex, decimal, ...others] = coded;
    const code = decimal === undefined ? Number.parseInt(hex ?? others.find(Boolean) ?? '', 16) : Number(decimal);
    if (code <= 0x10_ffff) return { character: String.fromCodePoint(code), units: coded[0].length };
  }
  const character = String.fromCodePoint(text.codePointAt(at)!);
  return { character, units: character.length };
}

/** The small Latin letter that a character looks like, without accents. */
function plainOf(character: string): string {
  if (character <= '\u007F') return plainLetters.get(character) ?? character.toLowerCase();
  const plain = character.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  return plainLetters.get(plain) ?? plain;
}
