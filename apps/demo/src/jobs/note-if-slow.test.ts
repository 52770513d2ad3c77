import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { noteIfSlow } from './note-if-slow.ts';

describe('noteIfSlow', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('notes once that work takes longer than two seconds', async () => {
    const note = vi.fn();
    const { promise, resolve } = Promise.withResolvers<string>();
    const result = noteIfSlow(promise, note);
    vi.advanceTimersByTime(1_999);
    expect(note).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    expect(note).toHaveBeenCalledTimes(1);
    resolve('done');
    expect(await result).toBe('done');
  });

  test('says nothing about work that ends or fails in time', async () => {
    const note = vi.fn();
    await noteIfSlow(Promise.resolve(1), note);
    await expect(noteIfSlow(Promise.reject(new Error('full')), note)).rejects.toThrow('full');
    vi.advanceTimersByTime(60_000);
    expect(note).not.toHaveBeenCalled();
  });
});
