import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findUnbuilt } from './find-unbuilt.ts';

test('findUnbuilt names each export without a built file once, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'haft-unbuilt-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const entry = { '@haft/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' };
  const exports = {
    '.': entry,
    './same': { node: { default: './dist/index.js' } },
    './package.json': './package.json',
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ exports }));
  expect(findUnbuilt(folder)).toEqual(['./dist/index.d.ts', './dist/index.js']);
  mkdirSync(join(folder, 'dist'));
  for (const name of ['index.d.ts', 'index.js']) writeFileSync(join(folder, 'dist', name), '');
  expect(findUnbuilt(folder)).toEqual([]);
  expect(findUnbuilt(folder, ['dist/page/index.html', 'dist/index.js'])).toEqual(['dist/page/index.html']);
});
