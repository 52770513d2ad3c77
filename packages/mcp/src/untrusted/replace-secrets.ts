/** Minimum length of a secret. A shorter value, such as `true`, is too common. */
const minSecretCharacters = 6;
/** Minimum length of a fragment at a cut. Shorter fragments reveal too little. */
const minFragmentCharacters = 8;
/** Characters around a cut text: an ellipsis, quotation marks, blanks. */
const maxEndCharacters = 4;
/** Maximum number of cuts in one text that are examined. */
const maxCuts = 1_000;
const cutMark = '\u2026';
/** Maximum number of nested encodings that are decoded. */
const maxLayers = 3;

/** A decoded text, with the offsets of its characters in the original text. */
interface View {
  readonly text: string;
  /** Start and end of each character in the original text. Undefined if both texts are equal. */
  readonly offsets: { readonly starts: readonly number[]; readonly ends: readonly number[] } | undefined;
}

/**
 * Creates a function that redacts secrets from text: as given, and in the encodings in which servers, proxies and
 * programs repeat their input (percent-encoding, JSON, HTML, base64, hexadecimal). Where text was cut, at its ends and
 * at each `…`, fragments of a secret are redacted too. Takes time linear in the text for each secret.
 */
export function createSecretReplacer(secrets: readonly string[], replacement: string): (text: string) => string {
  const values = [...new Set(secrets.flatMap((secret) => [secret, secret.trim(), decodePercent(secret)]))].filter(
    (value) => value.length >= minSecretCharacters,
  );
  if (values.length === 0) return (text) => text;
  const plain = [...new Set(values.flatMap((value) => [value, value.replaceAll(' ', '+')]))];
  const base64 = values.flatMap(toBase64Forms);
  const hex = values.map((value) => Buffer.from(value).toString('hex'));

  const replaceWhole = (text: string): string => {
    const found: (readonly [number, number])[] = [];
    let view: View | undefined = { text, offsets: undefined };
    for (let layer = 0; view && layer <= maxLayers; layer += 1) {
      search(view, plain, found);
      const compact = removeMatches(view, /[^\w+/-]+/g);
      search({ ...compact, text: compact.text.replaceAll('-', '+').replaceAll('_', '/') }, base64, found);
      const digits = removeMatches(view, /[^\da-fA-F]+/g);
      search({ ...digits, text: digits.text.toLowerCase() }, hex, found);
      view = decodeLayer(view);
    }
    return found.length === 0 ? text : replaceRanges(text, found, replacement);
  };
  return (text) => {
    const clean = replaceWhole(text);
    const segments = clean.split(cutMark);
    return segments.length === 1 || segments.length > maxCuts ? clean : segments.map(replaceWhole).join(cutMark);
  };
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the base64 forms of a value inside any text, without characters that depend on its neighbors. */
function toBase64Forms(value: string): readonly string[] {
  return [0, 1, 2]
    .map((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
      return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    })
    .filter((core) => core.length >= minSecretCharacters);
}

function search({ text, offsets }: View, needles: readonly string[], found: (readonly [number, number])[]): void {
  const note = (at: number, end: number): void =>
    void found.push(offsets ? [offsets.starts[at]!, offsets.ends[end - 1]!] : [at, end]);
  const first = /^\W*/.exec(text.slice(0, maxEndCharacters))![0].length;
  const last = text.length - /\W*$/.exec(text.slice(-maxEndCharacters))![0].length;
  for (const needle of needles) {
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
      note(at, at + needle.length);
    if (needle.length <= minFragmentCharacters) continue;
    const head = text.slice(first, first + needle.length - 1);
    const ending = needle.slice(-minFragmentCharacters);
    for (let at = head.indexOf(ending); at >= 0; at = head.indexOf(ending, at + 1)) {
      const end = at + minFragmentCharacters;
      if (needle.endsWith(head.slice(0, end))) note(first, first + end);
    }
    const from = Math.max(first, last - needle.length + 1);
    const tail = text.slice(from, last);
    const beginning = needle.slice(0, minFragmentCharacters);
    for (let at = tail.indexOf(beginning); at >= 0; at = tail.indexOf(beginning, at + 1))
      if (needle.startsWith(tail.slice(at))) note(from + at, last);
  }
}

/** Builds a view from segments of another. */
function createViewWriter({ text, offsets }: View): {
  readonly done: number;
  /** Copies everything up to an offset. */
  copyUntil(until: number): void;
  /** Replaces everything up to an offset by `characters`, spread evenly over it if `isEven`. */
  replaceUntil(characters: string, until: number, isEven: boolean): void;
  view(): View;
} {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let done = 0;
  const note = (from: number, to: number): void => {
    starts.push(offsets ? offsets.starts[from]! : from);
    ends.push(offsets ? offsets.ends[to - 1]! : to);
  };
  return {
    get done() {
      return done;
    },
    copyUntil(until) {
      parts.push(text.slice(done, until));
      for (; done < until; done += 1) note(done, done + 1);
    },
    replaceUntil(characters, until, isEven) {
      parts.push(characters);
      const step = isEven ? (until - done) / characters.length : 0;
      for (let index = 0; index < characters.length; index += 1)
        note(done + index * step, isEven ? done + (index + 1) * step : until);
      done = until;
    },
    view: () => ({ text: parts.join(''), offsets: { starts, ends } }),
  };
}

/** Returns the view without the matches of a pattern. */
function removeMatches(view: View, pattern: RegExp): View {
  const writer = createViewWriter(view);
  for (const match of view.text.matchAll(pattern)) {
    writer.copyUntil(match.index);
    writer.replaceUntil('', match.index + match[0].length, false);
  }
  if (writer.done === 0) return view;
  writer.copyUntil(view.text.length);
  return writer.view();
}

const encodedCharacters =
  /(?:%[\da-f]{2})+|\\(?:u[\da-f]{4}|x[\da-f]{2}|["'\\/nrt])|&(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos);?/gi;
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const escaped: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Decodes one layer of encoding. Returns undefined if the text has none. */
function decodeLayer(view: View): View | undefined {
  const writer = createViewWriter(view);
  for (const match of view.text.matchAll(encodedCharacters)) {
    writer.copyUntil(match.index);
    const characters = decodeCharacters(match[0]);
    const isAscii = match[0].startsWith('%') && characters.length * 3 === match[0].length;
    writer.replaceUntil(characters, match.index + match[0].length, isAscii);
  }
  if (writer.done === 0) return undefined;
  writer.copyUntil(view.text.length);
  return writer.view();
}

function decodeCharacters(code: string): string {
  if (code.startsWith('%')) return Buffer.from(code.replaceAll('%', ''), 'hex').toString('utf8');
  if (code.startsWith('\\')) {
    const [, kind = ''] = code;
    return /[ux]/i.test(kind) && code.length > 2
      ? String.fromCharCode(Number.parseInt(code.slice(2), 16))
      : (escaped[kind.toLowerCase()] ?? kind);
  }
  const name = code.slice(1).replace(/;$/, '').toLowerCase();
  if (!name.startsWith('#')) return named[name] ?? '';
  const point = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return point <= 0x10_ffff ? String.fromCodePoint(point) : '\uFFFD';
}

function replaceRanges(text: string, found: readonly (readonly [number, number])[], replacement: string): string {
  let clean = '';
  let done = 0;
  for (const [from, to] of found.toSorted(([a], [b]) => a - b)) {
    if (to <= done) continue;
    if (from >= done) clean += text.slice(done, from) + replacement;
    done = to;
  }
  return clean + text.slice(done);
}
