import { describe, expect, it } from 'vitest';
import { createIdlePool } from './process/idle-pool.ts';
import { childLimits, createChildBudget } from './channel/child-budget.ts';
import { createOutputLines } from './channel/output-lines.ts';
import { createSemaphore } from './process/semaphore.ts';

describe('limits of isolated plugins', () => {
  it('end the process that has been idle longest when too many are idle', () => {
    const ended: string[] = [];
    const idlePool = createIdlePool(2);
    const seats = ['a', 'b', 'c', 'd'].map((name) => {
      const rest = (): void => {
        idlePool.leave(rest);
        ended.push(name);
      };
      return rest;
    });
    idlePool.sit(seats[0]!);
    idlePool.sit(seats[1]!);
    idlePool.leave(seats[0]!);
    idlePool.sit(seats[0]!);
    idlePool.sit(seats[2]!);
    idlePool.sit(seats[3]!);
    expect(ended).toEqual(['b', 'a']);
  });

  it('admit a limited number of tasks in order, also after a failure', async () => {
    const semaphore = createSemaphore(2);
    const log: string[] = [];
    const ends: (() => void)[] = [];
    const task =
      (name: string, fails = false) =>
      () =>
        new Promise<string>((resolve, reject) => {
          log.push(name);
          ends.push(() => (fails ? reject(new Error(name)) : resolve(name)));
        });
    const all = [semaphore(task('a', true)), semaphore(task('b')), semaphore(task('c')), semaphore(task('d'))];
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

  it.each(['bytes', 'messages', 'host time'] as const)('name the exceeded budget (%s)', (name) => {
    let time = 0;
    const budget = createChildBudget(() => time);
    const cost = { bytes: 'bytes', messages: 'messages', 'host time': 'hostMs' }[name];
    const { burst, perSecond } = childLimits[name];
    expect(budget.charge({ [cost]: burst })).toBeUndefined();
    expect(budget.charge({ [cost]: 1 })).toBe(name);
    time = 2_000;
    expect(budget.charge({ [cost]: 2 * perSecond - 1 })).toBeUndefined();
    expect(budget.charge({ [cost]: 2 })).toBe(name);
  });

  it('refill a budget steadily, up to its burst', () => {
    let time = 0;
    const budget = createChildBudget(() => time);
    expect(budget.isOverloaded).toBe(false);
    budget.charge({ messages: childLimits.messages.perSecond + 1 });
    expect(budget.isOverloaded).toBe(true);
    time = 1_000_000;
    budget.charge({});
    expect(budget.isOverloaded).toBe(false);
    expect(budget.charge({ messages: childLimits.messages.burst })).toBeUndefined();
    expect(budget.charge({ messages: 1 })).toBe('messages');
  });

  it('split output into lines and report a hundred per second', () => {
    let time = 0;
    const received: string[] = [];
    const lines = createOutputLines(
      (line) => received.push(line),
      () => time,
    );
    lines.feed(Buffer.from('on'));
    lines.feed(Buffer.from('e\r\n\n  \ntwo\nthr'));
    expect(received).toEqual(['one', 'two']);
    lines.feed(Buffer.from(`ee\n${'more\n'.repeat(500)}`));
    expect(received.length).toBe(100);
    time = 1_000;
    lines.feed(Buffer.from('next\n'));
    expect(received.slice(100)).toEqual(['(403 more lines)', 'next']);
    lines.feed(Buffer.from('x'.repeat(1_000_000)));
    lines.feed(Buffer.from('\n'));
    expect(received.at(-1)?.length).toBe(2_000);
  });
});
