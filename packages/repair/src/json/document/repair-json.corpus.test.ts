import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import repairs from '../../fixtures/repairs.json' with { type: 'json' };
import damaged from '../../fixtures/damaged.json' with { type: 'json' };
import { readWithJsonrepair } from '../../jsonrepair.ts';
import { repairJson } from './repair-json.ts';
import type { RepairOptions } from '../result/repair-options.ts';

/** A damaged text of a model, and the complete expected result. */
interface Entry {
  readonly text: string;
  readonly options?: unknown;
  readonly valueAsJson?: string;
  readonly risk?: string;
  readonly complete?: boolean;
  /** The repairs, in the order of the text. */
  readonly fixes?: readonly string[];
  readonly code?: string;
  readonly position?: number;
  readonly why: string;
}

const corpus: readonly Entry[] = [...repairs, ...damaged];

describe('the corpus of repairs', () => {
  it.each(corpus)('$text: $why', (entry) => {
    const { code, position, valueAsJson, risk, complete, fixes } = entry;
    const options = (entry.options ?? {}) as RepairOptions;
    const isLastResort = fixes?.includes('last-resort') === true;
    const result = repairJson(entry.text, isLastResort ? { ...options, fallback: readWithJsonrepair } : options);
    const seen = result.ok
      ? // Compared as text, so that a member named __proto__ is included.
        {
          valueAsJson: JSON.stringify(result.value),
          risk: result.risk,
          complete: result.complete,
          fixes: result.repairs.map((repair) => repair.code),
        }
      : { code: result.code, position: result.position };
    expect(seen).toEqual(code === undefined ? { valueAsJson, risk, complete, fixes } : { code, position });
  });

  it('has a reason for every text, and a source for every damaged text', () => {
    expect(corpus.filter(({ why }) => why.length < 10)).toEqual([]);
    expect(damaged.filter(({ seen }) => seen.length < 10)).toEqual([]);
  });
});

// Names of fixes that report other names, and of a repair that only the arguments of a call can have.
const unlisted = new Set(['other-number', 'other-quotes', 'positional-argument', 'late-argument']);
const codesPattern =
  /(?:\bcode: |\b(?:replace|attempt)\(|note\(machine, |around\(text, |createRepair\(text, |endOfText\(machine, '\w+', )'([a-z]+(?:-[a-z]+)*)'/g;

function readCodes(folder: URL): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
    .flatMap((file) =>
      [...readFileSync(new URL(file, folder), 'utf8').matchAll(codesPattern)].map(([, code = '']) => code),
    );
}

describe('every kind of repair', () => {
  const codes = [...new Set(readCodes(new URL('../', import.meta.url)))].filter((code) => !unlisted.has(code));

  it('is documented', () => {
    expect(codes.length).toBeGreaterThan(65);
  });

  it.each(codes)('occurs in the corpus at least twice: %s', (code) => {
    expect(corpus.filter(({ fixes }) => fixes?.includes(code)).length).toBeGreaterThanOrEqual(2);
  });
});
