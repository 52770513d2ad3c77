import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxQueryLength, readQuery, sampleOfState, stateOfSample, withText, writeQuery } from './text-state.ts';
import type { TextState } from './text-state.ts';
import { sampleTools, samples } from './samples.ts';

const first = samples[0]!;

describe('the URL of the page', () => {
  test('contains only the name of an unchanged sample', () => {
    for (const sample of samples) {
      expect(writeQuery(stateOfSample(sample))).toBe(`sample=${sample.id}`);
      expect(readQuery(`sample=${sample.id}`)).toEqual(stateOfSample(sample));
    }
  });

  test('restores every state', () => {
    const text = fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed());
    const state: fc.Arbitrary<TextState> = fc.record({
      text,
      schema: text,
      tools: fc.oneof(text, fc.constantFrom(sampleTools, '')),
      stopped: fc.constantFrom('', 'stop', 'length'),
      marks: fc.constantFrom('', 'value', 'calls'),
    });
    fc.assert(
      fc.property(state, (one) => {
        expect(readQuery(writeQuery(one)!)).toEqual(one);
      }),
    );
  });

  test('starts with the first sample for an invalid query', () => {
    for (const query of ['', 'sample=nothing', 'stopped=maybe&marks=all', '%E0%A4%A', '=&&=']) {
      expect(readQuery(query), query).toEqual(stateOfSample(first));
    }
  });

  test('keeps an empty text empty', () => {
    expect(readQuery('text=').text).toBe('');
  });

  test('is not written if it would be too long', () => {
    const state = { ...stateOfSample(first), text: 'a'.repeat(maxQueryLength + 1) };
    expect(writeQuery(state)).toBeUndefined();
    expect(writeQuery({ ...state, text: '"'.repeat(maxQueryLength / 2) })).toBeUndefined();
    expect(writeQuery({ ...state, tools: '', stopped: '', text: 'a' })).toBe('text=a');
  });
});

describe('sampleOfState', () => {
  test('recognises a sample until it is changed', () => {
    const state = stateOfSample(first);
    expect(sampleOfState({ ...state, tools: '[]', marks: 'calls' })).toBe(first);
    expect(sampleOfState({ ...state, text: `${state.text} ` })).toBeUndefined();
    expect(sampleOfState({ ...state, stopped: 'length' })).toBeUndefined();
  });
});

describe('the tools that a changed text may call', () => {
  const sample = stateOfSample(first);

  test('remain those of the samples while a sample is edited', () => {
    for (const text of [`${sample.text} and more`, `Well: ${sample.text}`, sample.text.slice(0, 9)])
      expect(withText(sample, text)).toEqual({ ...sample, text });
  });

  test('are those of the program once another text has replaced the sample', () => {
    for (const text of ['', 'edit(path="a.txt")'])
      expect(withText(sample, text)).toEqual({ ...sample, text, tools: '', stopped: '' });
  });

  test('remain those of an own list', () => {
    expect(withText({ ...sample, tools: '[]' }, 'x').tools).toBe('[]');
  });
});
