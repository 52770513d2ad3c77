import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { formatTable } from './format-table.ts';
import { plainPaint } from './paint.ts';

const columns = [{ title: 'tool' }, { title: 'what', shrinks: true }, { title: 'ms', align: 'right' as const }];

describe('formatTable', () => {
  test('aligns cells under their titles', () => {
    const table = formatTable(
      columns,
      [
        ['read', 'src/a.ts', '1'],
        ['bash', 'x', '1200'],
      ],
      plainPaint,
      80,
    );
    expect(table).toEqual([
      'tool  what        ms',
      '────  ────────  ────',
      'read  src/a.ts     1',
      'bash  x         1200',
    ]);
  });

  test('cuts only shrinkable columns until the table fits', () => {
    const table = formatTable(columns, [['read', 'a'.repeat(100), '1']], plainPaint, 40);
    expect(Math.max(...table.map((line) => line.length))).toBe(40);
    expect(table[2]).toMatch(/^read {2}a+… {3}1$/);
  });

  test('wraps a long cell onto further lines', () => {
    const wrapping = [{ title: 'tool' }, { title: 'why', shrinks: true, wraps: true }];
    const table = formatTable(wrapping, [['read', 'one two three four']], plainPaint, 15);
    expect(table).toEqual(['tool  why', '────  ─────────', 'read  one two', '      three', '      four']);
  });

  test('breaks no word in the summary of the tour at 80 columns', () => {
    const summary = [
      { title: 'turn', align: 'right' as const },
      { title: 'call', shrinks: true, wraps: true, minimum: 20 },
      { title: 'repaired or coerced', shrinks: true, wraps: true },
      { title: 'whose fault' },
      { title: 'time', align: 'right' as const },
      { title: 'effect', shrinks: true, wraps: true },
    ];
    const rows = [
      ['2', '⊘ web_fetch http://169.254.169.254/latest/tariff', '', 'policy', '', ''],
      [
        '3',
        '✗ bash node --test',
        'unquoted-key ×2, single-quotes, trailing-comma',
        'world',
        '1.2 s',
        'ran node --test',
      ],
      ['5', '✓ edit src/fare.js', 'file_path → path, old_string → old_text', '', '12 ms', 'wrote src/fare.js'],
      ['12', '✓ everything_get-sum', 'number-parsed at $.b', '', '5 ms', 'unknown'],
      ['13', '✓ changelog_entry', '', '', '5 ms', 'wrote CHANGELOG.md, called changelog'],
    ];
    const table = formatTable(summary, rows, plainPaint, 80);
    for (const line of table) expect(line.length).toBeLessThanOrEqual(80);
    const words = (text: string): readonly string[] => text.match(/[a-z0-9]{2,}/gi) ?? [];
    expect(words(table.join('\n')).toSorted()).toEqual(
      [...summary.map(({ title }) => title), ...rows.flat()].flatMap(words).toSorted(),
    );
  });

  test('measures cells without their colours', () => {
    const table = formatTable(columns, [['\u001b[32mread\u001b[39m', 'x', '1']], plainPaint, 80);
    expect(stripVTControlCharacters(table[2]!)).toBe('read  x      1');
  });
});
