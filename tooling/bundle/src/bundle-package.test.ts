import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { bundlePackage } from './bundle-package.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'haft-bundle-'));
  write({
    'package.json': JSON.stringify({
      type: 'module',
      exports: {
        '.': { '@haft/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
        './half': { '@haft/source': './src/half.ts', types: './dist/half.d.ts', default: './dist/half.js' },
        './package.json': './package.json',
      },
    }),
    'src/index.ts': `export { half } from './half.ts';\nexport { double } from './parts/double.ts';\n`,
    'src/half.ts': `export function half(value: number): number {\n  return value / 2;\n}\n`,
    'src/parts/double.ts': `import { inspect } from 'node:util';\nexport const double = (value: number): string => inspect(value * 2);\n`,
    'dist/index.d.ts': 'export {};',
    'dist/parts/double.js': 'left over',
    'dist/parts/double.d.ts': 'export {};',
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const read = (path: string): string => readFileSync(join(folder, 'dist', path), 'utf8');

describe('bundlePackage', () => {
  it('writes a file for each entry that behaves like the sources', async () => {
    await bundlePackage(folder);
    const root = (await import(pathToFileURL(join(folder, 'dist', 'index.js')).href)) as {
      readonly half: (value: number) => number;
      readonly double: (value: number) => string;
    };
    expect([root.half(4), root.double(4)]).toEqual([2, '8']);
    expect(existsSync(join(folder, 'dist', 'half.js'))).toBe(true);
  });

  it('keeps other packages as imports, and inlines every module of its own', async () => {
    write({ 'src/half.ts': `export { half } from 'another';\n` });
    await bundlePackage(folder);
    const code = `${read('half.js')}${read('index.js')}`;
    expect(code).toContain(`from "another"`);
    expect(code).not.toMatch(/from "[^"]*double/);
  });

  it('keeps the declarations and the files of other programs, and removes files of an earlier build', async () => {
    write({ 'dist/page/index.js': '', 'dist/parts/double.js': '', 'dist/.built': 'hash\nindex.js\nparts/double.js\n' });
    await bundlePackage(folder);
    const files = readdirSync(join(folder, 'dist'), { recursive: true }).map(String);
    expect(files).toEqual(expect.arrayContaining(['index.d.ts', join('parts', 'double.d.ts')]));
    expect(files).toContain(join('page', 'index.js'));
    expect(files).not.toContain(join('parts', 'double.js'));
  });

  it('does nothing until a source changes or a file is missing', async () => {
    const entry = join(folder, 'dist', 'index.js');
    const built = async (): Promise<string> => {
      await bundlePackage(folder);
      return read('index.js');
    };
    const first = await built();
    write({ 'dist/index.js': 'edited' });
    expect(await built()).toBe('edited');
    rmSync(entry);
    expect(await built()).toBe(first);
    write({ 'src/half.test.ts': '' });
    write({ 'dist/index.js': 'edited' });
    expect(await built()).toBe('edited');
    write({ 'src/half.ts': `export const half = (value: number): number => value / 3;\n` });
    await built();
    expect(read('half.js')).toContain('/ 3');
  });

  it('includes a library with its licence if the manifest lists it', async () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
    const library = (name: string): object => ({ name, version: '1.2.3', type: 'module', main: 'index.js' });
    write({
      'package.json': JSON.stringify({ ...manifest, dependencies: { kept: '1' }, inlinedDependencies: ['inner'] }),
      'node_modules/inner/package.json': JSON.stringify(library('inner')),
      'node_modules/inner/index.js': `import { kept } from 'kept';\nimport { deep } from 'deep';\nexport const half = (value) => kept(deep(value));\n`,
      'node_modules/inner/LICENSE': 'Do as you like with inner.',
      'node_modules/deep/package.json': JSON.stringify(library('deep')),
      'node_modules/deep/index.js': 'export const deep = (value) => value / 4;\n',
      'src/half.ts': `export { half } from 'inner';\n`,
    });
    await expect(bundlePackage(folder)).rejects.toThrow('has no licence file');
    write({ 'node_modules/deep/License.md': 'Do as you like with deep.' });
    await bundlePackage(folder);
    expect(read('half.js')).toContain('value / 4');
    expect(read('half.js')).not.toMatch(/from "(?:inner|deep)"/);
    expect(read('half.js')).toContain('from "kept"');
    const licenses = read('third-party-licenses.txt');
    expect(licenses).toMatch(
      /^deep 1\.2\.3\n\nDo as you like with deep\.\n[^]*\ninner 1\.2\.3\n\nDo as you like with inner\.\n$/,
    );
  });

  it('does not touch a file whose text is unchanged', async () => {
    await bundlePackage(folder);
    const before = statSync(join(folder, 'dist', 'index.js'));
    await bundlePackage(folder);
    const after = statSync(join(folder, 'dist', 'index.js'));
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  });

  it('keeps an import of another entry as an import, so that both share its state', async () => {
    write({
      'src/half.ts': `export { double as half } from './index.ts';\n`,
      'src/index.ts': `export { double } from './parts/double.ts';\n`,
    });
    await bundlePackage(folder);
    expect(read('half.js')).toContain('from "./index.js"');
    expect(read('half.js')).not.toContain('inspect');
  });

  it('writes the Node variant of an entry as one file, and maps it to the built entry', async () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly exports: object };
    const half = {
      '@haft/source': './src/half.ts',
      types: './dist/half.d.ts',
      'module-sync': './dist/later.js',
      default: './dist/half.js',
    };
    write({
      'package.json': JSON.stringify({ ...manifest, exports: { ...manifest.exports, './half': half } }),
      'src/later.ts': `import { double } from './parts/double.ts';\nexport const half = async (value: number): Promise<string> => double((await import('./half.ts')).half(value));\n`,
    });
    await bundlePackage(folder);
    expect(read('later.js')).toContain('import("./half.js")');
    expect(read('later.js')).not.toContain('from "./parts/');
    const later = (await import(pathToFileURL(join(folder, 'dist', 'later.js')).href)) as {
      readonly half: (value: number) => Promise<string>;
    };
    expect(await later.half(4)).toBe('4');
  });

  it('writes a variant of an entry that loads the entry on demand, and exports classes and lists at once', async () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly exports: object };
    const root = {
      '@haft/source': './src/index.ts',
      types: './dist/index.d.ts',
      'module-sync': './dist/index-on-demand.js',
      default: './dist/index.js',
    };
    write({
      'package.json': JSON.stringify({ ...manifest, exports: { ...manifest.exports, '.': root } }),
      'src/index.ts': [
        `export { HalfError, type Half } from './half-error.ts';`,
        `export { double } from './parts/double.ts';`,
        `export { halve, builtinNames } from './halve.ts';`,
      ].join('\n'),
      'src/half-error.ts': `export class HalfError extends Error {}\nexport type Half = number;\n`,
      'src/parts/double.ts': `export const double = 'a value';\n`,
      'src/halve.ts': [
        `import { HalfError } from './half-error.ts';`,
        `globalThis.wasLoaded = true;`,
        `export const builtinNames = Object.freeze(['a', 'b']);`,
        `export async function halve(value: number): Promise<number> {`,
        `  if (value % 2 === 1) throw new HalfError('odd');`,
        `  return value / 2;`,
        `}`,
      ].join('\n'),
    });
    await bundlePackage(folder);
    // Runs in plain Node, because a test runner has its own instances of modules.
    const program = `
import { HalfError, builtinNames, double, halve } from './dist/index-on-demand.js';
const isLoaded = () => 'wasLoaded' in globalThis;
const said = [double, isLoaded(), [...builtinNames], Object.isFrozen(builtinNames), isLoaded(), await halve(4)];
console.log(JSON.stringify([...said, await halve(3).catch((error) => error instanceof HalfError)]));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(JSON.parse(stdout)).toEqual(['a value', false, ['a', 'b'], true, true, 2, true]);
  });

  it('builds programs that are started by their path, and keeps these paths correct inside a bundle', async () => {
    write({
      'src/index.ts': `export { answer } from './deep/start.ts';\n`,
      'src/deep/start.ts': [
        `const program = new URL(import.meta.url.endsWith('.ts') ? './program/main.ts' : './program/main.js', import.meta.url);`,
        `export const answer = async (): Promise<string> => ((await import(program.href)) as { said: string }).said;`,
      ].join('\n'),
      'src/deep/program/main.ts': `export const said = import.meta.url.slice(-21);\n`,
    });
    await bundlePackage(folder);
    const { answer } = (await import(pathToFileURL(join(folder, 'dist', 'index.js')).href)) as {
      readonly answer: () => Promise<string>;
    };
    expect(await answer()).toBe('/deep/program/main.js');
  });

  it('loads costly modules of Node when their functions are called', async () => {
    write({
      'src/half.ts': `import { createHash } from 'node:crypto';\nexport const half = (): string => createHash('sha256').update('').digest('hex').slice(0, 4);\n`,
      'src/index.ts': `export { half } from './half.ts';\n`,
    });
    await bundlePackage(folder);
    expect(read('half.js')).not.toContain('node:http');
    expect(read('half.js')).toMatch(/createHash = \(\.\.\.args\) => process\.getBuiltinModule/);
    const { half } = (await import(pathToFileURL(join(folder, 'dist', 'half.js')).href)) as {
      readonly half: () => string;
    };
    expect(half()).toBe('e3b0');
  });

  it('rejects a shared part that imports one of the entries that share it', async () => {
    write({
      'src/parts/double.ts': `import { half } from '../half.ts';\nexport const double = (value: number): number => half(value) * 4;\n`,
      'src/more.ts': `export { double } from './parts/double.ts';\n`,
      'package.json': readFileSync(join(folder, 'package.json'), 'utf8').replace(
        '"exports":{',
        '"exports":{"./more":{"@haft/source":"./src/more.ts"},',
      ),
    });
    await expect(bundlePackage(folder)).rejects.toThrow('is shared by entries and imports one of them');
  });

  it('lists declarations that no entry needs, which the tarball leaves out', async () => {
    write({
      'dist/index.d.ts': `export type { Half } from './half.ts';\n`,
      'dist/half.d.ts': `export type Half = import('./deep/number.ts').Numeric;\n`,
      'dist/deep/number.d.ts': 'export type Numeric = number;\n',
      'dist/deep/helper.d.ts': 'export {};\n',
    });
    await bundlePackage(folder);
    expect(read('.npmignore').trim().split('\n')).toEqual([
      '*.map',
      '*.tsbuildinfo',
      '.built',
      'deep/helper.d.ts',
      'parts/double.d.ts',
    ]);
  });

  it('escapes non-ASCII characters without changing their meaning', async () => {
    write({
      'src/half.ts': `export const half = '½ 😀';\nexport const isHalf: RegExp = /^[½😀]+$/u;\n`,
      'src/index.ts': `export { half } from './half.ts';\n`,
    });
    await bundlePackage(folder);
    expect(read('half.js')).toMatch(/^[\0-\x7f]*$/);
    const entry = (await import(pathToFileURL(join(folder, 'dist', 'half.js')).href)) as {
      readonly half: string;
      readonly isHalf: RegExp;
    };
    expect([entry.half, entry.isHalf.test('😀½')]).toEqual(['½ 😀', true]);
  });

  it('gives libraries the default export of a module of Node', async () => {
    write({
      'src/half.ts': `import path from 'node:path';\nexport const half = (): string => path.posix.basename('a/b');\n`,
      'src/index.ts': `export { half } from './half.ts';\n`,
    });
    await bundlePackage(folder);
    const { half } = (await import(pathToFileURL(join(folder, 'dist', 'half.js')).href)) as {
      readonly half: () => string;
    };
    expect(half()).toBe('b');
  });

  it('rejects a library that requires a module of Node, which fails in a module', async () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
    write({
      'package.json': JSON.stringify({ ...manifest, inlinedDependencies: ['older'] }),
      'node_modules/older/package.json': JSON.stringify({ name: 'older', version: '1.0.0', main: 'index.js' }),
      'node_modules/older/index.js': `const { inspect } = require('util');\nexports.half = inspect;\n`,
      'node_modules/older/LICENSE': 'Do as you like.',
      'src/half.ts': `import older from 'older';\nexport const half: unknown = older.half;\n`,
    });
    await expect(bundlePackage(folder)).rejects.toThrow('needs require');
  });

  it('rejects warnings of the bundler, and keeps the previous build', async () => {
    write({ 'src/half.ts': `import { gone } from './parts/double.ts';\nexport const half: unknown = gone;\n` });
    await expect(bundlePackage(folder)).rejects.toThrow('gone');
    expect(existsSync(join(folder, 'dist', 'index.js'))).toBe(false);
    expect(read('parts/double.js')).toBe('left over');
  });
});
