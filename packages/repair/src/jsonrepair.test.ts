import { describe, expect, it } from 'vitest';

import { repairJson } from './json.ts';
import { readWithJsonrepair } from './jsonrepair.ts';

const text = '{"a": {}, b {h:；""{"" [';

describe('jsonrepair as the fallback of repairJson', () => {
  it('reads text that repairJson cannot read, and marks the value as uncertain', () => {
    expect(repairJson(text).ok).toBe(false);
    expect(repairJson(text, { fallback: readWithJsonrepair })).toMatchObject({
      ok: true,
      value: { a: {}, b: { h: '；', '': { '': [] } } },
      risk: 'lossy',
      complete: false,
      repairs: [{ code: 'last-resort', start: 0, end: text.length }],
    });
  });

  it('is not called if repairJson can read the text, and its answer is rejected if it has the wrong type', () => {
    const asked: string[] = [];
    const fallback = (whole: string): readonly string[] => {
      asked.push(whole);
      return ['one'];
    };
    expect(repairJson('{a: 1}', { fallback })).toMatchObject({ ok: true, value: { a: 1 } });
    expect(asked).toEqual([]);
    expect(repairJson(text, { fallback })).toMatchObject({ ok: true, value: ['one'] });
    expect(repairJson(text, { fallback, root: 'object' }).ok).toBe(false);
    expect(asked).toEqual([text, text]);
  });

  it('refuses prose, and texts that would take long', () => {
    expect(readWithJsonrepair('one, two, three')).toBeUndefined();
    expect(readWithJsonrepair(`{"a": ${'['.repeat(500)}`)).toBeUndefined();
    expect(readWithJsonrepair(`{"a": "${'b'.repeat(16_384)}"}`)).toBeUndefined();
    expect(readWithJsonrepair(`{"a": ${'"b" '.repeat(1_000)}}`)).toBeUndefined();
    expect(readWithJsonrepair('{"a": 1')).toEqual({ a: 1 });
  });
});
