import { describe, expect, it } from 'vitest';
import { createReadTracker } from './read-tracker.ts';

describe('a read tracker', () => {
  it('stores the last content of each file for each session', () => {
    const tracker = createReadTracker();
    tracker.record('s', '/a', { hash: '1' });
    tracker.record('s', '/a', { hash: '2' });
    tracker.record('t', '/a', { hash: '3' });
    expect(tracker.get('s', '/a')).toEqual({ hash: '2' });
    expect(tracker.get('t', '/a')).toEqual({ hash: '3' });
    expect(tracker.get('s', '/b')).toBeUndefined();
    tracker.forget('s');
    expect(tracker.get('s', '/a')).toBeUndefined();
    expect(tracker.get('t', '/a')).toEqual({ hash: '3' });
    tracker.forget('t', '/a');
    expect(tracker.get('t', '/a')).toBeUndefined();
  });

  it('forgets the least recently used file first', () => {
    const tracker = createReadTracker({ maxFiles: 2 });
    tracker.record('s', '/a', { hash: '1' });
    tracker.record('s', '/b', { hash: '1' });
    tracker.record('s', '/a', { hash: '2' });
    tracker.record('s', '/c', { hash: '1' });
    expect([tracker.get('s', '/a')?.hash, tracker.get('s', '/b'), tracker.get('s', '/c')?.hash]).toEqual([
      '2',
      undefined,
      '1',
    ]);
  });

  it('drops texts before hashes, and counts correctly over a long time', () => {
    const tracker = createReadTracker({ maxCharacters: 100 });
    for (let round = 0; round < 1_000; round += 1)
      tracker.record('s', `/${round % 5}`, { hash: String(round), text: 'x'.repeat(round % 60) });
    const kept = ['0', '1', '2', '3', '4'].map((name) => tracker.get('s', `/${name}`)!);
    expect(kept.map(({ hash }) => hash)).toEqual(['995', '996', '997', '998', '999']);
    expect(kept.reduce((sum, { text }) => sum + (text?.length ?? 0), 0)).toBeLessThanOrEqual(100);
    expect(kept.at(-1)!.text).toHaveLength(999 % 60);
  });
});
