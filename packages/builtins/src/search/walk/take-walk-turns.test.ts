import { describe, expect, it } from 'vitest';
import { takeTurns } from './take-walk-turns.ts';

describe('takeTurns', () => {
  it('does not yield before a turn is over', async () => {
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
