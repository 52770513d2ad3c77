import type { Random } from '../random.ts';
import type { ByteMutation } from './byte-mutations.ts';
import { indentationOf, isBlank } from './text-mutations.ts';

/** The text that a model writes: the lines to replace, and their replacement. */
interface Written {
  readonly old: readonly string[];
  readonly next: readonly string[];
}

/** A slip in the text that a model writes. Returns undefined if the lines do not support it. */
type WrittenSlip = (written: Written, random: Random, firstLine: number) => Written | undefined;

const both =
  (map: (line: string) => string): WrittenSlip =>
  ({ old, next }) => ({ old: old.map(map), next: next.map(map) });

const inOld =
  (map: (line: string) => string): WrittenSlip =>
  ({ old, next }) => ({ old: old.map(map), next });

const dedent: WrittenSlip = (written) => {
  const filled = written.old.filter((line) => !isBlank(line));
  const depth = Math.min(...filled.map((line) => indentationOf(line).length));
  if (depth === 0 || written.next.some((line) => !isBlank(line) && indentationOf(line).length < depth))
    return undefined;
  return both((line) => (isBlank(line) ? line : line.slice(depth)))(written, undefined as never, 0);
};

const escape: WrittenSlip = (written) => {
  if (!/["']/.test(written.old.join('')) || written.old.join('').includes('\\')) return undefined;
  return both((line) => line.replaceAll('"', '\\"').replaceAll("'", "\\'"))(written, undefined as never, 0);
};

/** In the order of application. Line numbers and blank lines come last, as in pasted text. */
const writtenSlips: readonly WrittenSlip[] = [
  dedent,
  inOld((line) => line.replaceAll("'", '\u2019').replaceAll('"', '\u201D')),
  inOld((line) => indentationOf(line) + line.trimStart().replace(/ /, '   ')),
  inOld((line) => (isBlank(line) ? line : `${line}  `)),
  escape,
  ({ old, next }, _, firstLine) => ({
    old: old.map((line, index) => `${firstLine + index}→${line}`),
    next: next.map((line, index) => `${firstLine + index}→${line}`),
  }),
  ({ old, next }) => ({ old: ['', ...old, ''], next: ['', ...next, ''] }),
];

/** Two slips in one edit, in a file with LF or CRLF. */
export const doubleSlips: Readonly<Record<string, ByteMutation>> = {
  'D two slips at once': (scene, random) => {
    const { lines, block, changed } = scene;
    let written: Written | undefined = { old: block.lines, next: changed };
    for (const slip of random.sample(writtenSlips, 2)) {
      const before: Written = written;
      written = slip(before, random, block.from + 1);
      if (!written || written.old.join('\n') === before.old.join('\n')) return undefined;
    }
    const eol = random.chance(0.3) ? '\r\n' : '\n';
    const store = (all: readonly string[]): Uint8Array => Buffer.from(all.map((line) => line + eol).join(''));
    return {
      file: store(lines),
      edits: [{ oldText: written.old.join('\n'), newText: written.next.join('\n') }],
      all: false,
      expected: store([...lines.slice(0, block.from), ...changed, ...lines.slice(block.to)]),
    };
  },
};
