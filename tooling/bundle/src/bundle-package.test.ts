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
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

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
    await bundlePackage(folder);
    const code = read('index.js');
    expect(code).toContain(`from "node:util"`);
    expect(code).not.toMatch(/from "[^"]*double/);
  });

  it('keeps the declarations, and removes files of an earlier build', async () => {
    await bundlePackage(folder);
    const files = readdirSync(join(folder, 'dist'), { recursive: true }).map(String);
    expect(files).toEqual(expect.arrayContaining(['index.d.ts', join('parts', 'double.d.ts')]));
    expect(files).not.toContain(join('parts', 'double.js'));
  });

  it('writes source maps that refer to the published sources instead of including them', async () => {
    await bundlePackage(folder);
    const map = JSON.parse(read('index.js.map')) as { readonly sources: string[]; readonly sourcesContent?: unknown };
    expect(map.sources).toContain('../src/parts/double.ts');
    expect(map.sourcesContent ?? []).not.toContainEqual(expect.any(String));
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
      node: './dist/later.js',
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

  it('rejects warnings of the bundler, and keeps the previous build', async () => {
    write({ 'src/half.ts': `import { gone } from './parts/double.ts';\nexport const half: unknown = gone;\n` });
    await expect(bundlePackage(folder)).rejects.toThrow('gone');
    expect(existsSync(join(folder, 'dist', 'index.js'))).toBe(false);
    expect(read('parts/double.js')).toBe('left over');
  });
});
