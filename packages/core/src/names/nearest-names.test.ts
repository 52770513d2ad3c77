import { describe, expect, it } from 'vitest';
import { findNearestNames } from './nearest-names.ts';

const known = ['read', 'write', 'edit', 'web_fetch', 'web_search', 'list_processes', 'github_create_issue'];

describe('findNearestNames', () => {
  it.each([
    ['reed', 'read'],
    ['Write', 'write'],
    ['webFetch', 'web_fetch'],
    ['read_file', 'read'],
    ['list_process', 'list_processes'],
    ['create_issue', 'github_create_issue'],
    ['editt', 'edit'],
    ['raed', 'read'],
  ])('suggests the correct tool for %s', (unknown, expected) => {
    expect(findNearestNames(unknown, known)[0]).toBe(expected);
  });

  it('suggests nothing for a name without similar names', () => {
    expect(findNearestNames('zzzzqqqq', known)).toEqual([]);
    expect(findNearestNames('', known)).toEqual([]);
  });

  it('is fast for a name of any length', () => {
    expect(findNearestNames('a'.repeat(10_000_000), known)).toEqual([]);
  });
});
