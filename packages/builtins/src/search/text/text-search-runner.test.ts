import { describe, expect, it } from 'vitest';
import { hostilePatterns } from '../../fixtures/hostile-patterns.ts';
import { quickenSearchThreads } from '../../fixtures/quick-search-threads.ts';
import type { PatternAnswer, PatternJob } from './text-search-job.ts';
import { createPatternRunner, type PatternRunner } from './text-search-runner.ts';
import { PatternTooCostly } from './text-search-thread.ts';

quickenSearchThreads();

const never = new AbortController().signal;
const jobOf = (source: string, text: string): PatternJob => ({
  query: { source, flags: '', isMultiline: false, before: 0, after: 0, keep: 10, isFirstEnough: false },
  files: [new TextEncoder().encode(text)],
});
const bomb = jobOf('^(a+)+$', `${'a'.repeat(40)}b`);
const easy = jobOf('^a', 'ab\nb');

/** Runs a search with one job. */
async function runIn(
  runner: PatternRunner,
  job: PatternJob,
  timeoutMs: number,
  signal = never,
): Promise<PatternAnswer> {
  const search = runner.start(timeoutMs, signal);
  return search.run(job).finally(() => search.end());
}

// Each job may need a new thread, and threads start slowly on a busy machine.
describe('a pattern runner', { timeout: 120_000 }, () => {
  it('stops an endless pattern without blocking this thread, and runs the next one', async () => {
    const runner = createPatternRunner();
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 10);
    await expect(runIn(runner, bomb, 400)).rejects.toBeInstanceOf(PatternTooCostly);
    clearInterval(ticking);
    // If this thread did the matching, the timer would never fire.
    expect(ticks).toBeGreaterThan(0);
    await expect(runIn(runner, easy, 10_000)).resolves.toMatchObject({ ok: true, files: [{ matches: 1 }] });
    await runner.dispose();
  });

  it('never blocks this thread for a hostile pattern, which the time limit or the engine ends', async () => {
    const runner = createPatternRunner();
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 5);
    for (const pattern of hostilePatterns) {
      ticks = 0;
      const running = runIn(runner, jobOf(pattern, `${'a'.repeat(60)}!`), 150);
      const ended = await running.then(
        ({ ok }) => `ok: ${ok}`,
        (error: unknown) => error,
      );
      // An optimizing engine may answer some of these patterns. The others were stopped by the time limit.
      if (ended instanceof Error) expect(ended).toBeInstanceOf(PatternTooCostly);
      if (ended instanceof Error) expect({ pattern, hasTicked: ticks > 0 }).toEqual({ pattern, hasTicked: true });
    }
    clearInterval(ticking);
    await runner.dispose();
  });

  it('reports a pattern that the engine rejects', async () => {
    const runner = createPatternRunner();
    const deep = jobOf(`${'(?:'.repeat(900)}a${')*'.repeat(900)}`, 'a'.repeat(50));
    const answers = [deep, jobOf('((((a{900}){900}){900}){900}){900}b', 'a')].map((job) =>
      runIn(runner, job, 2_000).catch((error: unknown) => error),
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
    const running = runIn(runner, bomb, 60_000, controller.signal);
    controller.abort(new Error('stop now'));
    await expect(running).rejects.toThrow('stop now');
    await expect(runIn(runner, easy, 10_000, controller.signal)).rejects.toThrow('stop now');
    await runner.dispose();
  });

  it('runs jobs in parallel', async () => {
    const runner = createPatternRunner();
    const answers = await Promise.all(Array.from({ length: 4 }, () => runIn(runner, easy, 20_000)));
    expect(answers).toHaveLength(4);
    await runner.dispose();
  });

  it('queues the jobs of a search, and ends all of them, but no other search, when one is too expensive', async () => {
    const runner = createPatternRunner();
    const search = runner.start(400, never);
    const other = runner.start(60_000, never);
    const answers = await Promise.all(Array.from({ length: 12 }, () => search.run(easy)));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    const bombs = Array.from({ length: 6 }, () => search.run(bomb).catch((error: unknown) => error));
    const unharmed = Array.from({ length: 6 }, () => other.run(easy));
    for (const ended of await Promise.all(bombs)) expect(ended).toBeInstanceOf(PatternTooCostly);
    await expect(search.run(easy)).rejects.toBeInstanceOf(PatternTooCostly);
    for (const answer of await Promise.all(unharmed)) expect(answer.ok).toBe(true);
    search.end();
    other.end();
    await runner.dispose();
  });
});
