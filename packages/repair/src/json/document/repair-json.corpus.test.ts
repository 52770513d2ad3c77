import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import annex from '../../fixtures/annex-c.json' with { type: 'json' };
import damaged from '../../fixtures/damaged.json' with { type: 'json' };
import { repairJson } from './repair-json.ts';
import type { RepairOptions } from '../result/repair-options.ts';

/** A text as models break it, and all that reading it has to come to. */
interface Entry {
  readonly text: string;
  readonly options?: unknown;
  readonly valueAsJson?: string;
  readonly risk?: string;
  readonly complete?: boolean;
  /** The repairs, in the order in which they stand in the text. */
  readonly fixes?: readonly string[];
  readonly code?: string;
  readonly position?: number;
  readonly why: string;
}

const corpus: readonly Entry[] = [...annex, ...damaged];

describe('the corpus of repairs', () => {
  it.each(corpus)('$text: $why', (entry) => {
    const result = repairJson(entry.text, (entry.options ?? {}) as RepairOptions);
    const { code, position, valueAsJson, risk, complete, fixes } = entry;
    const seen = result.ok
      ? // Compared as text, so that a member named __proto__ is seen.
        {
          valueAsJson: JSON.stringify(result.value),
          risk: result.risk,
          complete: result.complete,
          fixes: result.repairs.map((repair) => repair.code),
        }
      : { code: result.code, position: result.position };
    expect(seen).toEqual(code === undefined ? { valueAsJson, risk, complete, fixes } : { code, position });
  });

  it('says of every text why it is read so, and of the damaged ones where they were seen', () => {
    expect(corpus.filter(({ why }) => why.length < 10)).toEqual([]);
    expect(damaged.filter(({ seen }) => seen.length < 10)).toEqual([]);
  });
});

// Names of fixes that never stand in a list of repairs: what they find has a name of its own there.
const unlisted = new Set(['other-number', 'other-quotes', 'positional-argument']);
const codesPattern =
  /(?:\bcode: |note\(machine, |around\(text, |endOfText\(machine, '\w+', |DOUBTFUL = )'([a-z]+(?:-[a-z]+)*)'/g;

function readCodes(folder: URL): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
    .flatMap((file) =>
      [...readFileSync(new URL(file, folder), 'utf8').matchAll(codesPattern)].map(([, code = '']) => code),
    );
}

describe('every kind of repair', () => {
  const codes = [...new Set(readCodes(new URL('../', import.meta.url)))].filter((code) => !unlisted.has(code));

  it('is known', () => {
    expect(codes.length).toBeGreaterThan(65);
  });

  it.each(codes)('stands in the corpus twice: %s', (code) => {
    expect(corpus.filter(({ fixes }) => fixes?.includes(code)).length).toBeGreaterThanOrEqual(2);
  });
});
