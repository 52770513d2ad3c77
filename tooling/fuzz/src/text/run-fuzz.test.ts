import { describe, expect, it } from 'vitest';

import { createSource } from './inputs/create-source.ts';
import type { FuzzInput } from './inputs/input.ts';
import { runFuzz } from './run-fuzz.ts';

describe('reading generated texts', () => {
  it('breaks no law', async () => {
    const { done, failures, traits } = await runFuzz({ seed: 'test', count: 4_000 });
    expect(failures).toEqual([]);
    expect(done).toBe(4_000);
    expect(traits).toBeGreaterThan(500);
  }, 120_000);

  it('ends on request', async () => {
    const { done } = await runFuzz({ seed: 'test', count: 4_000, onProgress: ({ done }) => done < 256 });
    expect(done).toBe(256);
  });
});

describe('a source of inputs', () => {
  it('gives identical inputs for the same seed, and different ones for others', () => {
    const take = (seed: string): readonly FuzzInput[] => {
      const source = createSource(seed);
      return Array.from({ length: 50 }, () => source.next());
    };
    const first = take('one');
    expect(take('one')).toEqual(first);
    expect(take('two')).not.toEqual(first);
    expect(new Set(first.map(({ target }) => target))).toEqual(new Set(['json', 'calls']));
  });

  it('mutates kept inputs', () => {
    const source = createSource('kept');
    const text = 'A text that nothing else is made of: zyxwvutsrqponm.';
    source.keep({ target: 'json', text, salt: 0 });
    const texts = Array.from({ length: 200 }, () => source.next().text);
    expect(texts.some((changed) => changed.includes('zyxwvut'))).toBe(true);
  });
});
