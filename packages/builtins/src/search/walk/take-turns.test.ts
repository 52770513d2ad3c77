import { describe, expect, it } from 'vitest';
import { takeTurns, workInTurns } from './take-turns.ts';

const { signal } = new AbortController();

/** Pieces of work of a millisecond each. */
function* busy(pieces: number): Generator<undefined, string, undefined> {
  for (let piece = 0; piece < pieces; piece += 1) {
    const until = performance.now() + 1;
    while (performance.now() < until);
    yield;
  }
  return 'done';
}

describe('work in turns', () => {
  it('lets others run in between, and comes to its end', async () => {
    let others = 0;
    const ticking = setInterval(() => (others += 1), 1);
    expect(await workInTurns(busy(100), signal)).toBe('done');
    clearInterval(ticking);
    expect(others).toBeGreaterThan(0);
  });

  it('stops when it is cancelled', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('stop now')), 5);
    await expect(workInTurns(busy(100_000), controller.signal)).rejects.toThrow('stop now');
  });

  it('asks nobody to wait before a turn was long enough', async () => {
    let now = 0;
    const turns = takeTurns(() => now);
    expect(turns.next()).toBeUndefined();
    now = 9;
    expect(turns.next()).toBeUndefined();
    now = 10;
    const turn = turns.next();
    expect(turn).toBeInstanceOf(Promise);
    await turn;
    expect(turns.next()).toBeUndefined();
  });
});
