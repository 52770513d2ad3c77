import { describe, expect, it } from 'vitest';
import { createSteerQueue } from './index.ts';

describe('createSteerQueue', () => {
  it('returns messages once, oldest first', () => {
    const queue = createSteerQueue();
    expect(queue.steer('one')).toBe(true);
    expect(queue.steer('two', { source: 'person', trusted: true })).toBe(true);
    expect(queue.size).toBe(2);
    expect(queue.drain()).toEqual([
      { text: 'one', source: 'outside', trusted: false },
      { text: 'two', source: 'person', trusted: true },
    ]);
    expect(queue.drain()).toEqual([]);
  });

  it('returns false if it is full or closed', () => {
    const queue = createSteerQueue({ maxMessages: 1 });
    expect([queue.steer('a'), queue.steer('b')]).toEqual([true, false]);
    queue.close();
    expect(queue.drain()).toHaveLength(1);
    expect(queue.steer('c')).toBe(false);
  });

  it('truncates long messages, never inside a character', () => {
    const queue = createSteerQueue({ maxCharacters: 3 });
    queue.steer('ab😀cd');
    expect(queue.drain()[0]!.text).toBe('ab\n[… 4 characters left out]');
  });

  it('rejects invalid limits', () => {
    expect(() => createSteerQueue({ maxMessages: 0 })).toThrow('maxMessages');
    expect(() => createSteerQueue({ maxCharacters: Number.NaN })).toThrow('maxCharacters');
  });
});
