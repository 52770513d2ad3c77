import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.ts';

const names = ['dispatch', 'repair'];
const main = fileURLToPath(new URL('main.ts', import.meta.url));
const bench = (...args: readonly string[]): readonly unknown[] => {
  const options = { encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=@haft/source', main, ...args], options);
  return [status, stdout, stderr];
};

describe('the command line of pnpm bench', () => {
  it('takes a name and its options in any order', () => {
    const run = { kind: 'run', name: 'repair', json: true, write: false, full: false, rounds: 3 };
    expect(readArguments(['--json', 'repair', '--rounds', '3'], names)).toEqual(run);
    expect(readArguments(['--', 'repair', '--rounds=3', '--json'], names)).toEqual(run);
  });

  it.each([['repair', 'dispatch'], ['repair', '--jsn'], ['repair', '--rounds', '1.5'], ['repair', '--rounds='], []])(
    'reports a mistake: %s %s %s',
    (...args: readonly string[]) => {
      expect(readArguments(args, names)).toMatchObject({ kind: 'mistake', message: expect.not.stringContaining('\n') });
    },
  );

  it('prints a mistake on one line and exits with 2, and prints its help', () => {
    const line = /^bench: expected the name of one benchmark, got "dispach"; known are behaviours, dispatch.*\n$/;
    expect(bench('dispach')).toEqual([2, '', expect.stringMatching(line)]);
    expect(bench('--help')).toEqual([0, expect.stringContaining('  dispatch    One validated tool call'), '']);
  });
});
