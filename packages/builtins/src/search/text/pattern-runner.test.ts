import { describe, expect, it } from 'vitest';
import { hostilePatterns } from '../../fixtures/hostile-patterns.ts';
import type { PatternJob } from './pattern-job.ts';
import { createPatternRunner, PatternTooCostly } from './pattern-runner.ts';

const never = new AbortController().signal;
const jobOf = (source: string, text: string): PatternJob => ({
  query: { source, flags: '', isMultiline: false, before: 0, after: 0, keep: 10, isFirstEnough: false },
  files: [new TextEncoder().encode(text)],
});
const bomb = jobOf('^(a+)+$', `${'a'.repeat(40)}b`);
const easy = jobOf('^a', 'ab\nb');

// Each job may need a thread of its own, and threads start slowly on a busy machine.
describe('a pattern runner', { timeout: 120_000 }, () => {
  it('stops a pattern that takes forever while this thread goes on, and serves the next', async () => {
    const runner = createPatternRunner();
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 10);
    await expect(runner.run(bomb, 400, never)).rejects.toBeInstanceOf(PatternTooCostly);
    clearInterval(ticking);
    // A thread that matched by itself would not have ticked once.
    expect(ticks).toBeGreaterThan(0);
    await expect(runner.run(easy, 10_000, never)).resolves.toMatchObject({ ok: true, files: [{ matches: 1 }] });
    await runner.dispose();
  });

  it("keeps this thread free of every hostile pattern, which ends by its limit or by the engine's", async () => {
    const runner = createPatternRunner();
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 5);
    for (const pattern of hostilePatterns) {
      ticks = 0;
      const running = runner.run(jobOf(pattern, `${'a'.repeat(60)}!`), 150, never);
      const ended = await running.then(
        ({ ok }) => `ok: ${ok}`,
        (error: unknown) => error,
      );
      // What has an end, by a clever engine, has an answer; the others were stopped from here.
      if (ended instanceof Error) expect(ended).toBeInstanceOf(PatternTooCostly);
      if (ended instanceof Error) expect({ pattern, hasTicked: ticks > 0 }).toEqual({ pattern, hasTicked: true });
    }
    clearInterval(ticking);
    await runner.dispose();
  });

  it('answers what an engine can not take', async () => {
    const runner = createPatternRunner();
    const deep = jobOf(`${'(?:'.repeat(900)}a${')*'.repeat(900)}`, 'a'.repeat(50));
    const answers = [deep, jobOf('((((a{900}){900}){900}){900}){900}b', 'a')].map((job) =>
      runner.run(job, 2_000, never).catch((error: unknown) => error),
    );
    for (const answer of await Promise.all(answers)) {
      if (answer instanceof Error) expect(answer).toBeInstanceOf(PatternTooCostly);
      else expect(answer).toHaveProperty('ok');
    }
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
