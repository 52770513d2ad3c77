import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

// If `HAFT_BUILT` is set, the built packages are used, which start faster than their sources.
const fromSource = process.env['HAFT_BUILT'] === undefined ? ['--conditions=@haft/source'] : [];
const program = fileURLToPath(new URL('main.ts', import.meta.url));

function fuzz(...args: readonly string[]): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...fromSource, program, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('the command line of pnpm fuzz', () => {
  it('passes options without a name to the text fuzzer', () => {
    const { status, stdout } = fuzz('--count', '40', '--seed', 'command-line', '--jobs', '1', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ done: 40, failures: [] });
  });

  it('takes the name of a fuzzer first', () => {
    expect(fuzz('text', '--help')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('pnpm fuzz [text]') as string,
    });
    expect(fuzz('--', 'text', '--speed').stderr).toContain("Unknown option '--speed'");
  });

  it('lists the fuzzers if the name is unknown', () => {
    expect(fuzz('texts')).toMatchObject({
      status: 2,
      stderr: 'fuzz: unknown fuzzer "texts" (expected one of text, shell)\n',
    });
  });
});
