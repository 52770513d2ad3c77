import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it, onTestFinished } from 'vitest';

import { listPackageDocs, maxDocsBytes, writePackageDocs } from './package-docs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folders = [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`), 'apps/demo'];

function createRepository(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'haft-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ 'docs/guides/a.md': '# A', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

describe('the documentation that packages ship', () => {
  it.each(folders)('is at most 50 KB of Markdown: %s', async (folder) => {
    const pages = [...(await listPackageDocs(root, folder))];
    expect(pages.filter(([path]) => !path.endsWith('.md'))).toEqual([]);
    expect(pages.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(maxDocsBytes);
  });

  it('contains every guide, every concept, every first step and every page about adding something once', async () => {
    const shipped = (
      await Promise.all(folders.map(async (folder) => [...(await listPackageDocs(root, folder)).keys()]))
    ).flat();
    const pages = ['adding', 'concepts', 'guides', 'start'].flatMap((part) =>
      readdirSync(join(root, 'docs', part)).map((name) => `${part}/${name}`),
    );
    for (const page of pages.filter((each) => each !== 'adding/README.md')) {
      expect(
        shipped.filter((each) => each === page),
        page,
      ).toEqual([page]);
    }
  });

  it('is written below dist/docs, without pages of an earlier build', async () => {
    const folder = createRepository({
      'docs/adding/dialect.md': '# Dialect',
      'packages/schema/dist/docs/guides/old.md': '# Old',
      'packages/schema/dist/index.js': 'code',
    });
    await writePackageDocs(folder, 'packages/schema');
    const dist = join(folder, 'packages/schema/dist');
    expect(readFileSync(join(dist, 'docs/adding/dialect.md'), 'utf8')).toBe('# Dialect');
    expect(existsSync(join(dist, 'docs/guides/old.md'))).toBe(false);
    expect(existsSync(join(dist, 'index.js'))).toBe(true);
  });

  it('puts a new guide into the package that it imports most', async () => {
    const guide = `import { a } from '@haft/core';\nimport { b } from '@haft/journal';\nimport { b } from '@haft/otel';\nimport { c } from '@haft/core';`;
    const folder = createRepository({ 'docs/guides/trace.md': guide, 'docs/guides/a.md': 'no imports' });
    expect([...(await listPackageDocs(folder, 'packages/journal')).keys()]).toEqual(['guides/trace.md']);
    expect([...(await listPackageDocs(folder, 'packages/otel')).keys()]).toEqual([]);
  });

  it('fails when the pages of a package are too large', async () => {
    const folder = createRepository({ 'docs/adding/dialect.md': 'x'.repeat(50_001) });
    await expect(writePackageDocs(folder, 'packages/schema')).rejects.toThrow(
      'packages/schema: its pages have 50001 bytes (expected at most 50000)',
    );
  });
});
