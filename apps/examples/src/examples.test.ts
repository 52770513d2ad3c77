import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

// If `HAFT_BUILT` is set, the built packages are used, which start faster than their sources.
const fromSource = process.env['HAFT_BUILT'] === undefined ? ['--conditions=@haft/source'] : [];
const here = fileURLToPath(new URL('.', import.meta.url));

describe('the examples', () => {
  it('are ten, numbered without a gap', () => {
    const folders = readdirSync(here).filter((name) => /^\d\d-/.test(name));
    expect(folders.map((name) => Number(name.slice(0, 2)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('run to the end in order, and print what they have shown', { timeout: 240_000 }, async () => {
    const program = fileURLToPath(new URL('main.ts', import.meta.url));
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [...fromSource, program], { timeout: 220_000 });
    expect(stdout.trim().split('\n')).toHaveLength(10);
  });
});
