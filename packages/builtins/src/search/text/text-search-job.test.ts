import { decodeText, openConfinedDirectory, isBinary } from '@haft/sandbox';
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createGround, createRandom, type Ground } from '../../fixtures/create-ground.ts';
import { randomPattern } from '../../fixtures/random-pattern.ts';
import { runPatternJob, type FileAnswer, type FolderFiles } from './text-search-job.ts';
import type { TextQuery } from './text-search.ts';

let ground: Ground | undefined;
afterEach(() => {
  ground?.remove();
  ground = undefined;
});

const isLong = process.env['HAFT_TEST_LONG'] === '1';
const pickWith =
  (random: () => number): (<Item>(items: readonly Item[]) => Item) =>
  (items) =>
    items[Math.floor(random() * items.length)]!;
const queryOf = (source: string, flags = ''): TextQuery => ({
  source,
  flags,
  isMultiline: false,
  before: 0,
  after: 0,
  keep: 0,
  isFirstEnough: false,
});

/** Opens the files of a folder for a job. The folder itself is closed before the job begins. */
function share(path: string, names: readonly string[]): FolderFiles & { readonly close: () => void } {
  const folder = openConfinedDirectory([path], path);
  if (!folder.ok) throw new Error(folder.message);
  const shared = folder.share();
  folder.close();
  return { directory: shared.reference, names, close: () => shared.close() };
}

function answersOf(query: TextQuery, files: readonly FolderFiles[], from = 0): readonly FileAnswer[] {
  const answers: FileAnswer[] = [];
  for (const length = files.flatMap(({ names }) => names).length - from; answers.length < length;) {
    const plain = files.map(({ directory, names }) => ({ directory, names }));
    const answer = runPatternJob({ query, files: structuredClone(plain), from: from + answers.length });
    if (!answer.ok) throw new Error(answer.reason);
    answers.push(...answer.files);
  }
  return answers;
}

/** Reference implementation: returns the matching lines or, for a binary file, only whether it matches. */
function countNaively(bytes: Uint8Array, source: string, flags: string): number {
  const pattern = new RegExp(source, flags);
  const countIn = (lines: readonly string[]): number =>
    lines.filter((line, index) => (line !== '' || index < lines.length - 1) && pattern.test(line)).length;
  if (isBinary(bytes)) return Math.min(1, countIn(Buffer.from(bytes).toString('latin1').split('\n')));
  const { text } = decodeText(bytes);
  return countIn(text.includes('\n') ? text.replaceAll('\r\n', '\n').replace(/\r$/, '').split('\n') : text.split('\r'));
}

describe('a pattern job', () => {
  it('counts the matching lines of files in every encoding, for random patterns', () => {
    const random = createRandom(31);
    const pick = pickWith(random);
    const atoms =
      'a b k s . \\s \\S \\w \\W \\d \\D [^a] [^\\w] [a-c] [-x] [\\s\\S] [^] é [é-ü] \\u0041 \\x61 \\. \\- { ] € \\0 \\t \\cI \\/'.split(
        ' ',
      );
    const others =
      '^ $ \\b \\B | (?=a) (?!\\s) (?<=x) (?<!^a) (?: ( ) (?<n> \\1 \\k<n> a* b+ x? .* \\s* [^a]+ a{2} b{1,} .{0,3}? (a|^)b \\p{Lu} \\u{61}'.split(
        ' ',
      );
    const letters = [
      'a',
      'b',
      'x',
      'k',
      'K',
      's',
      'ſ',
      'K',
      ' ',
      '\n',
      '\n',
      'é',
      '€',
      '-',
      '\t',
      '.',
      '😀',
      '\u2028',
      '{',
    ];
    const encodings: readonly ((text: string) => Uint8Array)[] = [
      (text) => Buffer.from(text),
      (text) => Buffer.from(text),
      (text) => Buffer.from(`\uFEFF${text}`),
      (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
      (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
      (text) => Buffer.from(`${text}\xfc`, 'latin1'),
      (text) => Buffer.from(text.replaceAll('\n', '\r\n')),
      (text) => Buffer.from(text.replaceAll('\n', '\r')),
      (text) => Buffer.from(`\0${text}\0`),
    ];
    const contents = Array.from({ length: 120 }, () =>
      Uint8Array.from(
        pick(encodings)(Array.from({ length: 1 + Math.floor(random() * 14) }, () => pick(letters)).join('')),
      ),
    );
    const names = contents.map((_, index) => String(index).padStart(3, '0'));
    ground = createGround({ files: Object.fromEntries(names.map((name, index) => [name, contents[index]!])) });
    const files = share(ground.folder, names);
    const rounds = isLong ? 3_000 : 200;
    let matches = 0;
    for (let round = 0; round < rounds; round += 1) {
      const pattern = randomPattern(random, { atoms, others, share: 0.65 });
      if (pattern === undefined) continue;
      const { source, flags } = pattern;
      const found = answersOf(queryOf(source, flags), [files]).map((answer) =>
        answer !== undefined && 'matches' in answer ? answer.matches : (answer?.problem ?? 0),
      );
      const expected = contents.map((content) => countNaively(content, source, flags));
      expect({ source, flags, found }).toEqual({ source, flags, found: expected });
      matches += expected.reduce((sum, each) => sum + each, 0);
    }
    expect(matches).toBeGreaterThan(rounds);
    files.close();
  }, 600_000);

  it('skips the given number of files, across folders, and returns results for all others', () => {
    ground = createGround({ files: { 'a/1': 'x', 'a/2': '', 'b/1': 'xx', 'b/2': 'y\nx' } });
    const folders = ['a', 'b'].map((name) => share(join(ground!.folder, name), ['1', '2']));
    const counts = (from: number): readonly unknown[] =>
      answersOf(queryOf('x'), folders, from).map((answer) =>
        answer === undefined ? 0 : 'matches' in answer && answer.matches,
      );
    expect([0, 1, 2, 3].map(counts)).toEqual([[1, 0, 1, 1], [0, 1, 1], [1, 1], [1]]);
    for (const folder of folders) folder.close();
  });

  it('reads the shared folder even if a link has replaced it, and follows no link in it', () => {
    ground = createGround({ files: { 'd/a': 'inside', 'd/b': 'inside' } });
    const files = share(join(ground.folder, 'd'), ['a', 'b', 'gone']);
    ground.put('../outside/a', 'secret');
    renameSync(join(ground.folder, 'd/b'), join(ground.folder, 'd/c'));
    symlinkSync(join(ground.outside, 'a'), join(ground.folder, 'd/b'));
    const looked = answersOf(queryOf('inside|secret'), [files]);
    expect(looked).toMatchObject([{ matches: 1 }, { problem: 'SYMLINK_REFUSED' }, { problem: 'NOT_FOUND' }]);
    renameSync(join(ground.folder, 'd'), join(ground.folder, 'moved'));
    symlinkSync(ground.outside, join(ground.folder, 'd'));
    expect(answersOf(queryOf('secret'), [files])[0]).not.toHaveProperty('matches');
    files.close();
  });
});
