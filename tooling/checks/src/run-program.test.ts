import { tmpdir } from 'node:os';

import { describe, expect, it } from 'vitest';

import { runPrograms } from './run-program.ts';

const run = (...codes: readonly string[]): Promise<readonly (string | undefined)[]> =>
  runPrograms(codes.map((code) => ({ code, directory: tmpdir() })));

describe('runPrograms', { timeout: 120_000 }, () => {
  it('reports the program that fails, and runs those after it', async () => {
    const failures = await run('const a: number = 1;', 'throw new Error(`broken ${1 + 1}`);', 'export const a = 2;');
    expect(failures).toEqual([undefined, expect.stringContaining('Error: broken 2'), undefined]);
  });

  it('runs each program although one ends the process', async () => {
    expect(await run('process.exit(0);', 'process.exit(1);')).toEqual([
      undefined,
      expect.stringContaining('no output'),
    ]);
  });

  it('finds the program whose rejected promise fails later', async () => {
    const late = 'setTimeout(() => Promise.reject(new Error("late")), 1);';
    expect(await run(late, 'export {};')).toEqual([expect.stringContaining('Error: late'), undefined]);
  });

  it('runs a program in its folder', async () => {
    const code = `if (process.cwd() !== ${JSON.stringify(tmpdir())}) throw new Error(process.cwd());`;
    expect(await run(code, code)).toEqual([undefined, undefined]);
  });
});
