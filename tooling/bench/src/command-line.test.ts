import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { readArguments } from './arguments.ts';

const names = ['dispatch', 'repair'];
const main = fileURLToPath(new URL('main.ts', import.meta.url));

function bench(...args: readonly string[]): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=@haft/source', main, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('the command line of pnpm bench', () => {
  it('takes a name and its options in any order', () => {
    const run = { kind: 'run', name: 'repair', json: true, write: false, full: false, rounds: 3 };
    expect(readArguments(['--json', 'repair', '--rounds', '3'], names)).toEqual(run);
    expect(readArguments(['--', 'repair', '--rounds=3', '--json'], names)).toEqual(run);
    expect(readArguments(['repair', '--full'], names)).toMatchObject({ full: true, json: false });
  });

  it('prints a mistake on one line, and exits with 2', () => {
    const { status, stdout, stderr } = bench('dispach');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^bench: unknown benchmark "dispach"; known are behaviours, dispatch.*\n$/);
    expect(bench('dispatch', '--jsn').stderr).toMatch(/^bench: unknown option --jsn; .*\n$/);
    expect(bench().status).toBe(2);
  });

  it('accepts any positive number of rounds', () => {
    for (const rounds of ['0', '1.5', 'many', '']) {
      expect(readArguments(['repair', '--rounds', rounds], names)).toMatchObject({ kind: 'mistake' });
    }
    expect(readArguments(['repair', 'dispatch'], names)).toMatchObject({ kind: 'mistake' });
  });

  it('prints its help', () => {
    const { status, stdout } = bench('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('pnpm bench NAME [--json] [--write] [--full]');
    expect(stdout).toContain('  dispatch    One validated tool call');
  });
});
