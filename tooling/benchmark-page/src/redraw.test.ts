import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { areas } from './areas.ts';
import { bestPeer, comparePeers, describeStanding, isMoreBetter, scaleOf } from './compare.ts';
import { drawClasses } from './draw-classes.ts';
import { readRows, readSections } from './read-page.ts';
import type { PageRow } from './read-page.ts';
import { redraw } from './redraw.ts';

const docs = new URL('../../../docs/', import.meta.url);
const page = readFileSync(new URL('benchmarks.md', docs), 'utf8');
const drawn = redraw(page);

describe('docs/benchmarks.md', () => {
  it('begins with the figures of its tables', () => {
    expect(drawn.page).toBe(page);
  });

  it('has a picture of every area that shows its tables, and no other picture', () => {
    for (const [file, picture] of drawn.pictures)
      expect([file, readFileSync(new URL(file, docs), 'utf8')]).toEqual([file, picture]);
    expect(
      readdirSync(new URL('benchmarks', docs))
        .map((file) => `benchmarks/${file}`)
        .toSorted(),
    ).toEqual([...drawn.pictures.keys()].toSorted());
    for (const file of drawn.pictures.keys()) expect(page).toContain(`](${file})`);
  });

  it('has a line on its first page for every section', () => {
    expect(areas.map(({ name }) => name)).toEqual([...readSections(page).keys()]);
  });
});

describe('a redrawn page', () => {
  const change = (from: string, to: string): string => {
    expect(page).toContain(from);
    return page.replace(from, to);
  };

  it('names rows that miss their bar or in which a peer is better', () => {
    const row = /(\*\*Additional time of a jailed command, best\*\*[^]*?\| \*\*Haft\*\* \| )[\d.]+( \|  \|\n)/;
    expect(page).toMatch(row);
    const worse = redraw(page.replace(row, (_, start, end) => `${start}71.7${end}| other 1.0.0 | 39.7 | 0.55 × |\n`));
    expect(worse.page).toContain('| 71.7 ms | 39.7 ms, other 1.0.0 | 1.82 × worse |');
    expect(worse.pictures.get('benchmarks/jail.svg')).toContain('1.82 × worse');
    const missed = redraw(change('≤ 15 ms on a machine at rest: holds', '≤ 15 ms on a machine at rest: missed'));
    expect(missed.pictures.get('benchmarks/jail.svg')).toContain('bar missed');
  });

  it('fails if a row that represents an area, or the comments, are missing', () => {
    expect(() => redraw(change('**One more call in a turn**;', '**A call**;'))).toThrow(
      'loop has no row that begins with',
    );
    expect(() => redraw(page.replace('<!-- first page -->', ''))).toThrow(
      'the comments around the first page are missing',
    );
  });
});

describe('the picture of classes', () => {
  const head = '| class | **Haft** | first 1.0.0 | second 2.0.0 |\n|---|---:|---:|---:|\n';
  const values =
    '| **Valid JSON with a wrong value: a task for a validator** | | | |\n| key in another case | 0 | 0 | 0 |\n';
  const picture = drawClasses(
    `${head}| **Quotes** | | | |\n| backticks | 0 | 0 | 100 |\n| a <b> | 100 | 0 | 0 |\n${values}`,
  );

  it('has a row with the best peer for each class that the package handles', () => {
    expect(picture.match(/class="haft"/g)).toHaveLength(1 + 2);
    expect(picture).toContain('0 / 100  second');
    expect(picture).toContain('100 / 0  no peer');
    expect(picture).not.toContain('key in another case');
  });

  it('is readable on a dark background, and escapes special characters in names', () => {
    expect(picture).toContain('prefers-color-scheme:dark');
    expect(picture.replaceAll(/<[^<>]*>/g, '')).not.toContain('<');
  });

  it('fails if the table of classes is missing', () => {
    expect(() => drawClasses('**By class**')).toThrow('repair has no table of classes');
  });
});

describe('a comparison', () => {
  const row: PageRow = {
    what: 'A',
    unit: 'ms',
    haft: 2,
    peers: [{ name: 'other 1.0', value: 4 }],
    bar: '≤ 5 ms',
    holds: true,
  };
  const standing = (changes: Partial<PageRow>): string => {
    const changed = { ...row, ...changes };
    const best = bestPeer(changed);
    return best === undefined ? 'alone' : describeStanding(changed, best);
  };

  it('prefers smaller values, but larger ones for rates and for shares that should be large', () => {
    expect(standing({})).toBe('2 × better');
    expect(standing({ unit: 'calls a second' })).toBe('2 × worse');
    expect(standing({ unit: '%', bar: '≥ 95 %' })).toBe('2 points worse');
    expect(standing({ unit: '%', bar: '0 %' })).toBe('2 points better');
    expect(isMoreBetter({ ...row, unit: 'texts', bar: '25 of 25' })).toBe(true);
  });

  it('prefers the ratio of the best rounds, and calls a difference within noise equal', () => {
    expect(standing({ peers: [{ name: 'other', value: 4, ratio: 3 }] })).toBe('3 × better');
    expect(standing({ peers: [{ name: 'other', value: 4, ratio: 1.01 }] })).toBe('even');
  });

  it('does not count other forms of Haft, or work without a library, as peers', () => {
    const names = ['Haft with 10 tools', 'AI SDK with `@haft/ai-sdk`', 'no library: JSON.parse', 'JSON.parse'];
    const peers = names.map((name) => ({ name, value: 1 }));
    expect(standing({ peers })).toBe('alone');
    expect(comparePeers({ ...row, peers }).every(({ isYardstick }) => isYardstick)).toBe(true);
  });

  it('shows no ratio to zero', () => {
    expect(scaleOf({ ...row, haft: 0 })).toBe('count');
    expect(standing({ haft: 0 })).toBe('better');
    expect(standing({ haft: 0, peers: [{ name: 'other', value: 0 }] })).toBe('even');
  });
});

describe('the rows of a section', () => {
  it('are parsed as they were written, whatever characters their names contain', () => {
    const table =
      '| | ms | to Haft |\n|---|---:|---:|\n| **Haft** | 12 300 |  |\n| a: b | 1 | 0.5 × |\n| none | – |  |\n';
    expect(readRows(`**Files: **/*.ts, 9**; bar: ≤ 3 ×: best: holds\n\n${table}`)).toEqual([
      {
        what: 'Files: **/*.ts, 9',
        unit: 'ms',
        haft: 12_300,
        peers: [
          { name: 'a: b', value: 1, ratio: 0.5 },
          { name: 'none', value: Number.NaN },
        ],
        bar: '≤ 3 ×: best',
        holds: true,
      },
    ]);
  });
});
