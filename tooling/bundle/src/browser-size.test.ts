import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const entry = '\0entry';

/** Kilobytes that a program adds to a web page: tree-shaken, minified and compressed. Libraries are not counted. */
async function sizeOf(program: string, others: RegExp): Promise<number> {
  const bundle = await rolldown({
    input: entry,
    cwd: fileURLToPath(new URL('packages/core', root)),
    external: [others],
    resolve: { conditionNames: ['@haft/source', 'import'] },
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? program : undefined),
      },
    ],
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    const chunks = output.map((file) => (file.type === 'chunk' ? file.code : ''));
    return chunks.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0) / 1_000;
  } finally {
    await bundle.close();
  }
}

/** The size that the README of a package states. */
function promised(name: string): number {
  const readme = readFileSync(new URL(`packages/${name}/README.md`, root), 'utf8');
  return Number(/at most (\d+) KB of minified and compressed JavaScript/.exec(readme)?.[1]);
}

const withoutDialects = `export { compileSchema, describeIssues, schemaFor, SchemaError, validateArgs } from '@haft/schema';`;

describe('the size in a browser', { timeout: 60_000 }, () => {
  it.each([
    ['schema', 45, withoutDialects, /^ajv/],
    ['core', 37, `export * from '@haft/core';`, /^(?:minisearch|@haft\/(?:schema|repair))/],
  ] as const)('of @haft/%s is at most %d KB, as its README says', async (name, most, program, others) => {
    const size = await sizeOf(program, others);
    expect(size).toBeGreaterThan(5);
    expect(size).toBeLessThanOrEqual(promised(name));
    expect(promised(name)).toBeLessThanOrEqual(most);
  });
});
