import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A generated project. */
export interface SearchTree {
  readonly folder: string;
  /** Files that no ignore rule excludes. */
  readonly files: number;
  readonly bytes: number;
  remove(): void;
}

const words =
  'const return import function export async await value result error index options string number request response handler config'.split(
    ' ',
  );
const ignoreRules = [
  'dist/',
  '*.log',
  '/build',
  'coverage',
  '.cache/',
  '*.tmp',
  '!keep.tmp',
  '/tmp/**',
  '.DS_Store',
  '*.min.js',
  'out',
  '.env*',
  '!.env.example',
  '**/generated/*.bin',
  '*.py[co]',
  '# end',
];

/**
 * Creates a project of source-like files in a temporary folder: twelve per folder, most of a few kilobytes and some
 * large, with common ignore rules, and a tenth as many ignored files. The same size creates the same tree.
 */
export function makeSearchTree(files: number): SearchTree {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-bench-search-')));
  let state = 7;
  const random = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 4_294_967_296;
  const word = (): string => words[Math.floor(random() * words.length)] ?? '';
  const line = (): string =>
    `${'  '.repeat(Math.floor(random() * 4))}${word()} ${word()}${Math.floor(random() * 1_000)} = ${word()}(${word()}, "${word()} ${word()}");`;
  const lines = Array.from({ length: 4_000 }, line);
  const pick = (): string => lines[Math.floor(random() * lines.length)] ?? '';
  let bytes = 0;
  writeFileSync(join(folder, '.gitignore'), ignoreRules.join('\n'));
  mkdirSync(join(folder, '.git'));
  const write = (path: string, index: number): void => {
    const length = index % 40 === 7 ? 1_500 : 20 + Math.floor(random() * 240);
    const text = Array.from({ length }, pick);
    if (index % 400 === 3) text[5] = '// needleInHay: once in four hundred files';
    if (index % 3 === 0) text[9] = `export function handle${index}(request) {`;
    const content = `${text.join('\n')}\n`;
    writeFileSync(path, content);
    bytes += content.length;
  };
  for (let index = 0; index < files; index += 1) {
    const group = Math.floor(index / 12);
    const path = join(folder, `area${group % 23}`, `part${group % 7}`, `unit${group}`);
    if (index % 12 === 0) mkdirSync(path, { recursive: true });
    write(join(path, `file${index}.${index % 5 === 0 ? 'md' : 'ts'}`), index);
  }
  const kept = bytes;
  for (let index = 0; index < files / 10; index += 1) {
    const path = join(folder, index % 2 === 0 ? 'dist' : 'node_modules/package', `part${Math.floor(index / 50)}`);
    mkdirSync(path, { recursive: true });
    write(join(path, `file${index}.js`), index);
  }
  return { folder, files: files + 1, bytes: kept, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
