import { failure, success, toolError } from '@haft/core';
import { describe, expect, test } from 'vitest';
import { outputPreview, wholeOutput } from './output-lines.ts';

const done = (text: string): ReturnType<typeof success> => success('c', text, {});
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('outputPreview', () => {
  test('shows the first and the last lines of a success, and counts the others', () => {
    expect(outputPreview(done(lines(40)), 80)).toEqual([
      'line 1',
      'line 2',
      'line 3',
      '… 35 more lines',
      'line 39',
      'line 40',
    ]);
  });

  test('does not replace a single line with a line that counts it', () => {
    expect(outputPreview(done(lines(6)), 80)).toHaveLength(6);
    expect(outputPreview(done(lines(7)), 80)).toContain('… 2 more lines');
  });

  test('shows the end of a failure', () => {
    const failed = failure('c', toolError('EXIT_CODE', 'it failed'), { content: done(lines(40)).content });
    const shown = outputPreview(failed, 80);
    expect(shown[0]).toBe('… 28 more lines above');
    expect(shown.at(-1)).toBe('line 40');
  });

  test('shows nothing for a success without output, with blank lines only, or with a diff', () => {
    const diff = { path: 'a', patch: '+a', existedBefore: true, additions: 1, deletions: 0 };
    expect(outputPreview(done('(no output)'), 80)).toEqual([]);
    expect(outputPreview(done(' \n\n'), 80)).toEqual([]);
    expect(outputPreview(success('c', 'wrote it', { diff }), 80)).toEqual([]);
  });

  test('cuts long lines at the width of the terminal, also those of wide characters and tabs', () => {
    expect(outputPreview(done('x'.repeat(100_000)), 20)).toEqual([`${'x'.repeat(19)}…`]);
    expect(outputPreview(done('日本語の文字'), 8)).toEqual(['日本語…']);
    expect(outputPreview(done('a\tb\tcd'), 8)).toEqual(['a    b …']);
    expect(outputPreview(done('x'.repeat(50)), -4)).toEqual(['x…']);
  });

  test('cuts lines of characters that have no width', () => {
    const [line = ''] = outputPreview(done('a\u0301'.repeat(3) + '\u0301'.repeat(100_000)), 20);
    expect(line.length).toBeLessThan(300);
    expect(line.endsWith('…')).toBe(true);
    const family = '👨‍👩‍👧‍👦'.repeat(2);
    expect(outputPreview(done(family), 20)).toEqual([family]);
  });

  test('removes characters that control a terminal', () => {
    const evil = '\u001b[2J\u001b]0;owned\u0007safe\r\u202egnp\u009b1A\u0008\n\u001b[1A? bash: allow?';
    expect(outputPreview(done(evil), 80)).toEqual(['safegnp', '? bash: allow?']);
  });
});

test('wholeOutput keeps all lines at their full length, without characters that control a terminal', () => {
  const shown = wholeOutput(done(`\n${lines(40)}\u001b[2J${'x'.repeat(500)}\n\n`));
  expect(shown).toHaveLength(41);
  expect(shown.at(-1)).toBe('x'.repeat(500));
});
