import { describe, expect, it } from 'vitest';
import { createIdleBench } from './idle-bench.ts';
import { createMessageBudget } from './message-budget.ts';
import { createOutputLines } from './output-lines.ts';
import { createTurnstile } from './turnstile.ts';

describe('what bounds plugins in processes of their own', () => {
  it('ends the process that has waited longest when too many wait', () => {
    const ended: string[] = [];
    const bench = createIdleBench(2);
    const seats = ['a', 'b', 'c', 'd'].map((name) => {
      const rest = (): void => {
        bench.leave(rest);
        ended.push(name);
      };
      return rest;
    });
    bench.sit(seats[0]!);
    bench.sit(seats[1]!);
    bench.leave(seats[0]!);
    bench.sit(seats[0]!);
    bench.sit(seats[2]!);
    bench.sit(seats[3]!);
    expect(ended).toEqual(['b', 'a']);
  });

  it('lets so many in at a time, in their order, also after one has failed', async () => {
    const turnstile = createTurnstile(2);
    const log: string[] = [];
    const ends: (() => void)[] = [];
    const task =
      (name: string, fails = false) =>
      () =>
        new Promise<string>((resolve, reject) => {
          log.push(name);
          ends.push(() => (fails ? reject(new Error(name)) : resolve(name)));
        });
    const all = [turnstile(task('a', true)), turnstile(task('b')), turnstile(task('c')), turnstile(task('d'))];
    const settled = Promise.allSettled(all);
    await Promise.resolve();
    expect(log).toEqual(['a', 'b']);
    ends[0]!();
    await expect(all[0]).rejects.toThrow('a');
    await Promise.resolve();
    expect(log).toEqual(['a', 'b', 'c']);
    ends[1]!();
    ends[2]!();
    await all[2];
    await Promise.resolve();
    ends[3]!();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  });

  it('takes, drops and in the end refuses messages, and starts anew every second', () => {
    let time = 0;
    const budget = createMessageBudget(() => time);
    const spend = (count: number): readonly string[] => [
      ...new Set(Array.from({ length: count }, () => budget.spend(10))),
    ];
    expect(spend(5_000)).toEqual(['take']);
    expect(spend(45_000)).toEqual(['drop']);
    expect(spend(1)).toEqual(['end']);
    time = 1_000;
    expect(spend(1)).toEqual(['take']);
    expect(budget.spend(65 * 1024 * 1024)).toBe('end');
  });

  it('cuts what is printed into lines, and tells a hundred a second', () => {
    let time = 0;
    const heard: string[] = [];
    const lines = createOutputLines(
      (line) => heard.push(line),
      () => time,
    );
    lines.feed('on');
    lines.feed('e\r\n\n  \ntwo\nthr');
    expect(heard).toEqual(['one', 'two']);
    lines.feed(`ee\n${'more\n'.repeat(500)}`);
    expect(heard.length).toBe(100);
    time = 1_000;
    lines.feed('next\n');
    expect(heard.slice(100)).toEqual(['(403 more lines)', 'next']);
    lines.feed('x'.repeat(1_000_000));
    lines.feed('\n');
    expect(heard.at(-1)?.length).toBe(2_000);
  });
});
