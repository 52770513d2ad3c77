import { describe, expect, it } from 'vitest';
import { createPatternRunner, PatternTooSlow } from './pattern-runner.ts';

const never = new AbortController().signal;
const bomb = { kind: 'names', source: '^(a+)+$', flags: '', names: [`${'a'.repeat(40)}b`] } as const;
const easy = { kind: 'names', source: '^a', flags: '', names: ['ab', 'b'] } as const;

describe('a pattern runner', () => {
  it('stops a pattern that takes forever while this thread goes on, and serves the next', async () => {
    const runner = createPatternRunner();
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 10);
    await expect(runner.run(bomb, 400, never)).rejects.toBeInstanceOf(PatternTooSlow);
    clearInterval(ticking);
    // A thread that matched by itself would not have ticked once.
    expect(ticks).toBeGreaterThan(0);
    await expect(runner.run(easy, 10_000, never)).resolves.toEqual({ kind: 'names', matches: [true, false] });
    await runner.dispose();
  });

  it('stops when the call is cancelled', async () => {
    const runner = createPatternRunner();
    const controller = new AbortController();
    const running = runner.run(bomb, 60_000, controller.signal);
    controller.abort(new Error('stop now'));
    await expect(running).rejects.toThrow('stop now');
    await expect(runner.run(easy, 10_000, controller.signal)).rejects.toThrow('stop now');
    await runner.dispose();
  });

  it('runs jobs at the same time', async () => {
    const runner = createPatternRunner();
    const answers = await Promise.all(Array.from({ length: 4 }, () => runner.run(easy, 20_000, never)));
    expect(answers).toHaveLength(4);
    await runner.dispose();
  });
});
