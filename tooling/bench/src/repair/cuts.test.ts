import { describe, expect, it, vi } from 'vitest';
import type { Case } from '@haft-tooling/corpora/damaged-json';
import { countCuts, isUnsure, makeUncut } from './cuts.ts';

// A long limit, for several hundred thousand readings on a loaded machine.
vi.setConfig({ testTimeout: 240_000 });

const isLong = process.env['HAFT_TEST_LONG'] !== undefined;
const makeDocuments = (row: string): readonly Case[] =>
  isLong ? makeUncut(row, 20, 400, 100) : makeUncut(row, 1, 24, 6);

describe('a document with up to three damages', () => {
  it.each(isLong ? ['development', 'held-out', 'another row', 'one more row'] : ['held-out', 'another row'])(
    'is never reported as complete when cut before its end: %s',
    (row) => {
      for (const one of makeDocuments(row)) {
        expect({ id: one.id, takenForWhole: countCuts(one).takenForWhole }).toEqual({ id: one.id, takenForWhole: [] });
      }
    },
  );

  it('is reported as complete when uncut and read correctly, with few exceptions', () => {
    const documents = makeDocuments('held-out').filter(({ text, closer }) => closer < text.length);
    const verdicts = documents.map((one) => isUnsure(one)).filter((verdict) => verdict !== undefined);
    expect(verdicts.length).toBeGreaterThan(documents.length * 0.9);
    expect(verdicts.filter((verdict) => verdict).length).toBeLessThanOrEqual(verdicts.length * 0.03);
  });
});

describe('the count of cuts', () => {
  const document = (text: string, truth: Case['truth']): Case => ({
    id: 'one',
    text,
    truth,
    alternatives: [],
    damages: [],
    group: 'control',
    tool: '',
    schema: {},
    untouched: [],
    begin: 0,
    closer: text.length - 1,
    ends: [],
  });

  it('cuts at every position before the closer, for both reasons to stop', () => {
    expect(countCuts(document('{"a": 1}', { a: 1 }))).toEqual({ cuts: 12, takenForWhole: [] });
  });

  it('finds cut texts that are reported as complete', () => {
    // A text that continues after a complete object was read as that object, even if more was meant.
    const { takenForWhole } = countCuts({ ...document('{a: 1} and more', { a: 2 }) });
    expect(takenForWhole.length).toBeGreaterThan(0);
  });
});
