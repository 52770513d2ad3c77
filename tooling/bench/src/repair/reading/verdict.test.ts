import { describe, expect, it } from 'vitest';
import { judge } from './verdict.ts';

const one = { truth: { a: 'x', b: ['y', 'y'] }, alternatives: [{ a: 'x' }], untouched: ['x', 'y', 'y'] };

describe('a verdict', () => {
  it('distinguishes right, equally good, wrong and refused readings', () => {
    expect(judge({ value: { b: ['y', 'y'], a: 'x' } }, one).outcome).toBe('exact');
    expect(judge({ value: { a: 'x' } }, one).outcome).toBe('alternative');
    expect(judge({ value: { a: 'z' } }, one).outcome).toBe('wrong');
    expect(judge(undefined, one).outcome).toBe('refused');
    expect(judge({ value: undefined }, one).outcome).toBe('refused');
  });

  it('counts a value as wrong only if the reader reports no ambiguity', () => {
    expect(judge({ value: 1 }, one).unmarked).toBe(true);
    expect(judge({ value: 1, marked: true }, one).unmarked).toBe(false);
    expect(judge({ value: one.truth, marked: false }, one).unmarked).toBe(false);
  });

  it('detects a missing string, and how often it should occur', () => {
    expect(judge({ value: { a: 'x', b: ['y'] } }, one).changedString).toBe(true);
    expect(judge({ value: { a: 'x', b: ['y', 'y', 1] } }, one).changedString).toBe(false);
    expect(judge(undefined, one).changedString).toBe(false);
  });
});
