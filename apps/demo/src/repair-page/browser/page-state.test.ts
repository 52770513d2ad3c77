import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxFragmentLength, readFragment, sampleOfState, stateOfSample, writeFragment } from './page-state.ts';
import type { PageState } from './page-state.ts';
import { defaultTools, samples } from './samples.ts';

const first = samples[0]!;

describe('the URL of the page', () => {
  test('contains only the name of an unchanged sample', () => {
    for (const sample of samples) {
      expect(writeFragment(stateOfSample(sample))).toBe(`sample=${sample.id}`);
      expect(readFragment(`#sample=${sample.id}`)).toEqual(stateOfSample(sample));
    }
  });

  test('restores any state it was written from', () => {
    const text = fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed());
    const state: fc.Arbitrary<PageState> = fc.record({
      text,
      schema: text,
      tools: fc.oneof(text, fc.constant(defaultTools)),
      stopped: fc.constantFrom('', 'stop', 'length'),
      marks: fc.constantFrom('', 'value', 'calls'),
    });
    fc.assert(
      fc.property(state, (one) => {
        expect(readFragment(`#${writeFragment(one)}`)).toEqual(one);
      }),
    );
  });

  test('starts with the first sample for an invalid fragment', () => {
    for (const fragment of ['', '#', '#sample=nothing', '#stopped=maybe&marks=all', '#%E0%A4%A', '#=&&=']) {
      expect(readFragment(fragment), fragment).toEqual(stateOfSample(first));
    }
  });

  test('keeps an empty text empty', () => {
    expect(readFragment('#text=').text).toBe('');
  });

  test('is not written if it would be too long', () => {
    const state = { ...stateOfSample(first), text: 'a'.repeat(maxFragmentLength + 1) };
    expect(writeFragment(state)).toBeUndefined();
    expect(writeFragment({ ...state, text: '"'.repeat(maxFragmentLength / 2) })).toBeUndefined();
    expect(writeFragment({ ...state, text: 'a' })).toBe('text=a');
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
