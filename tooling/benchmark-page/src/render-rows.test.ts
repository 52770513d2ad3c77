import { describe, expect, it } from 'vitest';

import { formatNumber } from './compare.ts';
import { renderMarkdown, renderTable } from './render-rows.ts';
import { writeSection } from './write-section.ts';

const row = {
  what: 'One call',
  unit: 'µs',
  haft: 4,
  peers: { other: 12_345.6 },
  ratios: { other: 3_000 },
  bar: '≤ 5 µs',
  holds: true,
};

describe('the outcome of a benchmark', () => {
  it('is rendered as a table for a terminal', () => {
    expect(renderTable([row])).toBe(
      [
        'One call (µs)',
        '  Haft            4            ',
        '  other      12 346     3 000 ×',
        '  bar: ≤ 5 µs: holds',
      ].join('\n'),
    );
    expect(renderTable([{ ...row, holds: false }])).toContain('bar: ≤ 5 µs: MISSED');
  });

  it('is rendered as a Markdown table for the page', () => {
    expect(renderMarkdown([row])).toContain('| **Haft** | 4 |  |\n| other | 12 346 | 3 000 × |');
  });

  it('shows three digits, and separates thousands', () => {
    expect([0.012345, 4.5678, 999.9, 1_234_567, Number.NaN].map(formatNumber)).toEqual([
      '0.0123',
      '4.57',
      '1000',
      '1 234 567',
      '–',
    ]);
  });

  it('replaces its own section of the page and keeps the others', () => {
    const page = writeSection(
      writeSection('# Benchmarks\n\nHow.\n', 'repair', '## repair\nold'),
      'dispatch',
      '## dispatch\nd',
    );
    expect(page).toBe(
      [
        '# Benchmarks\n\nHow.\n',
        '<!-- bench:dispatch -->\n## dispatch\nd\n<!-- /bench:dispatch -->\n',
        '<!-- bench:repair -->\n## repair\nold\n<!-- /bench:repair -->\n',
      ].join('\n'),
    );
    expect(writeSection(page, 'repair', '## repair\nnew')).toBe(page.replace('old', 'new'));
  });
});
