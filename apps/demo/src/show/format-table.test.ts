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

  test('continues a wrapping cell below', () => {
    const wrapping = [{ title: 'tool' }, { title: 'why', shrinks: true, wraps: true }];
    const table = formatTable(wrapping, [['read', 'one two three four']], plainPaint, 15);
    expect(table).toEqual(['tool  why', '────  ─────────', 'read  one two', '      three', '      four']);
  });

  test('measures cells without their colours', () => {
    const table = formatTable(columns, [['\u001b[32mread\u001b[39m', 'x', '1']], plainPaint, 80);
    expect(stripVTControlCharacters(table[2]!)).toBe('read  x      1');
  });
});
