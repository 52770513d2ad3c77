import { describe, expect, it } from 'vitest';
import corpus from '../../fixtures/damaged-classes.json' with { type: 'json' };
import { createJsonStream } from '../stream/json-stream.ts';
import type { JsonValue } from '../result/json-value.ts';
import type { RepairOptions } from '../result/repair-options.ts';
import { repairJson } from './repair-json.ts';

interface Row {
  readonly text: string;
  readonly value: JsonValue;
  readonly options: RepairOptions;
}

const toRow = ([text, value, options = {}]: readonly unknown[]): Row => ({
  text: text as string,
  value: value as JsonValue,
  options: options as RepairOptions,
});

// Texts that models, programs, shells and loggers write, with the value that a person would read.
describe.each(corpus)('texts of the class "$class"', ({ cases }) => {
  const rows = cases.map(toRow);

  it.each(rows)('are read as meant: $text', ({ text, value, options }) => {
    const result = repairJson(text, options);
    expect(result.ok && result.value).toEqual(value);
  });

  it('have the same result if they arrive in chunks', () => {
    for (const { text, options } of rows) {
      for (const step of [1, 5]) {
        const stream = createJsonStream(options);
        for (let at = 0; at < text.length; at += step) stream.push(text.slice(at, at + step));
        expect(stream.end()).toEqual(repairJson(text, options));
      }
    }
  });
});
