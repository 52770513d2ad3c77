import { describe, expect, it } from 'vitest';

import { readArguments } from './read-arguments.ts';

const today = '2026-11-22';

describe('the command line of the fuzzer', () => {
  it('has defaults for all options', () => {
    const request = { count: 1_000_000, seed: today, json: false, out: 'fuzz-failures.json' };
    expect(readArguments([], today)).toMatchObject(request);
  });

  it('accepts numbers with separators and suffixes', () => {
    const args = ['--', '--count', '10_000_000', '--seed', 'x', '--minutes=0.5', '--jobs', '3', '--json'];
    const request = { count: 10_000_000, seed: 'x', minutes: 0.5, jobs: 3, json: true };
    expect(readArguments(args, today)).toMatchObject(request);
  });

  it('reports a mistake on one line', () => {
    expect(readArguments(['--count', 'many'], today)).toBe('--count: invalid (expected a number above 0, got "many")');
    expect(readArguments(['--speed', '1'], today)).toMatch(/^Unknown option '--speed'/);
    expect(readArguments(['--help'], today)).toBe('');
  });
});
