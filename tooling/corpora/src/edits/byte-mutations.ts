import type { Random } from '../random.ts';
import type { EditCase } from './edit-case.ts';
import { slips, type Scene, type TextCase } from './text-mutations.ts';
import { lineAt } from './line-at.ts';

/** Creates a case from a scene. Returns undefined if the scene is not suitable. */
export type ByteMutation = (scene: Scene, random: Random) => Omit<EditCase, 'category'> | undefined;

/** The encoding of a stored text. */
type Encode = (text: string) => Uint8Array;

const utf8: Encode = (text) => Buffer.from(text);
const withMark: Encode = (text) => Buffer.from(`\uFEFF${text}`);
const latin1: Encode = (text) => Buffer.from(text, 'latin1');
const utf16: Encode = (text) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const utf16be: Encode = (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();

/** Converts a case of text into one of bytes. */
export function encodeCase(
  { file, oldText, newText, expected }: TextCase,
  encode: Encode = utf8,
): Omit<EditCase, 'category'> {
  return {
    file: encode(file),
    edits: [{ oldText, newText }],
    all: false,
    expected: expected === null ? null : encode(expected),
  };
}

/** Creates a file that is ASCII except for Latin-1 letters inside and outside the changed part. */
function accent(scene: Scene): Scene | undefined {
  if (/[^\u0000-\u007F]/.test(scene.lines.join(''))) return undefined;
  const { lines, block, changed, changedAt } = scene;
  const at = block.lines.findIndex(
    (line, index) => index !== changedAt && line.trim() !== '' && changed.includes(line),
  );
  if (at === -1) return undefined;
  const mark = (line: string): string => `${line} // größe, naïve`;
  const marked = block.lines.with(at, mark(lineAt(block.lines, at)));
  const all = [...lines.slice(0, block.from), ...marked, ...lines.slice(block.to)];
  return {
    ...scene,
    lines: all.with(0, block.from === 0 ? lineAt(all, 0) : mark(lineAt(all, 0))),
    block: { ...block, lines: marked },
    changed: changed.with(changed.indexOf(lineAt(block.lines, at)), lineAt(marked, at)),
  };
}

const stored =
  (slip: string, encode: Encode): ByteMutation =>
  (scene) => {
    const accented = accent(scene);
    const made = accented && slips[slip]?.(accented);
    return made && encodeCase(made, encode);
  };

/** The filler of a large file: lines that cannot be confused with the part to change. */
function filler(bytes: number): string {
  const lines: string[] = [];
  for (let size = 0, index = 0; size < bytes; index += 1) {
    const line = `// filler ${index} ${'='.repeat(index % 60)}\n`;
    lines.push(line);
    size += line.length;
  }
  return lines.join('');
}

let large: string | undefined;

const inLargeFile =
  (slip: string): ByteMutation =>
  (scene) => {
    const made = slips[slip]?.(scene);
    if (made?.expected == null) return undefined;
    large ??= filler(9_800_000);
    const half = large.indexOf('\n', large.length / 2) + 1;
    const surround = (text: string): string => large!.slice(0, half) + text + large!.slice(half);
    return encodeCase({ ...made, file: surround(made.file), expected: surround(made.expected) });
  };

/** Edits that must be applied, to files in every encoding, and several edits at once. */
export const storedSlips: Readonly<Record<string, ByteMutation>> = {
  'P08 byte order mark': stored('P01 exact', withMark),
  'P08b byte order mark and CRLF': stored('P06 CRLF file', withMark),
  'P19 UTF-16': stored('P01 exact', utf16),
  'P19b UTF-16, big end first, CRLF': stored('P06 CRLF file', utf16be),
  'P19c UTF-16, trailing blanks in old': stored('P02 trailing blanks in old', utf16),
  'P20 Latin-1': stored('P01 exact', latin1),
  'P20b Latin-1, dedented': stored('P04 dedented', latin1),
  'P21 every occurrence': (scene, random) => {
    const words = [...new Set(scene.block.lines.join('\n').match(/\b[A-Za-z]{5,}\b/g))];
    if (words.length === 0) return undefined;
    const word = random.pick(words);
    const file = `${scene.lines.join('\n')}\n`;
    return {
      file: utf8(file),
      edits: [{ oldText: word, newText: 'renamed$&' }],
      all: true,
      expected: utf8(file.split(word).join('renamed$&')),
    };
  },
  'P22 several edits at once': (scene) => {
    const { lines, block } = scene;
    const whole = `${lines.join('\n')}\n`;
    const single = [...block.lines.keys()].filter((index) => {
      const line = `${lineAt(block.lines, index)}\n`;
      return line.trim() !== '' && whole.indexOf(line) === whole.lastIndexOf(line) && !/^[\s{}()[\];,]*$/.test(line);
    });
    if (single.length < 3) return undefined;
    const chosen = [single.at(-1) ?? 0, single[0] ?? 0, single[1] ?? 0];
    const next = block.lines.map((line, index) => (chosen.includes(index) ? `${line} # $1 ${index}` : line));
    return {
      file: utf8(whole),
      edits: chosen.map((index) => ({
        oldText: `${lineAt(block.lines, index)}\n`,
        newText: `${lineAt(next, index)}\n`,
      })),
      all: false,
      expected: utf8(`${[...lines.slice(0, block.from), ...next, ...lines.slice(block.to)].join('\n')}\n`),
    };
  },
  'P23 10 MB': inLargeFile('P01 exact'),
  'P23b 10 MB, dedented': inLargeFile('P04 dedented'),
};

/** Edits that must be refused because of their text, or because they conflict. */
export const storedMistakes: Readonly<Record<string, ByteMutation>> = {
  'N08 text left out': (scene, random) => {
    const { block, lines } = scene;
    const placeholder = random.pick([
      '// ... rest of the code',
      '# ... existing code unchanged ...',
      '// … remaining lines stay the same',
    ]);
    // Skips files that contain such a line, because the edit would be right there.
    if (lines.some((line) => line.includes(placeholder))) return undefined;
    const made = slips['P01 exact']?.({ ...scene, changed: [lineAt(block.lines, 0), placeholder] });
    return made && { ...encodeCase(made), expected: null };
  },
  'N09 overlapping edits': (scene) => {
    const { lines, block } = scene;
    // The edits must overlap in more than an empty line; otherwise, they are only adjacent.
    if (block.lines.slice(1, -1).join('') === '') return undefined;
    const whole = `${lines.join('\n')}\n`;
    return {
      file: utf8(whole),
      edits: [
        { oldText: block.lines.slice(0, -1).join('\n'), newText: 'first();' },
        { oldText: block.lines.slice(1).join('\n'), newText: 'second();' },
      ].filter(({ oldText }) => whole.indexOf(oldText) === whole.lastIndexOf(oldText)),
      all: false,
      expected: null,
    };
  },
  'N10 one of several is stale': (scene) => {
    const { lines, block } = scene;
    const stale = `${lineAt(block.lines, 1)} stale`;
    const whole = `${lines.join('\n')}\n`;
    if (whole.includes(stale.trim())) return undefined;
    return {
      file: utf8(whole),
      edits: [
        { oldText: block.lines.join('\n'), newText: scene.changed.join('\n') },
        { oldText: stale, newText: 'x' },
      ],
      all: false,
      expected: null,
    };
  },
  'N11 a character the encoding lacks': (scene) => {
    const accented = accent(scene);
    if (!accented) return undefined;
    const made = slips['P01 exact']?.({ ...accented, changed: [...accented.changed, '// 茶'] });
    return made && { ...encodeCase(made, latin1), expected: null };
  },
};
