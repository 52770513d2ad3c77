import { describe, expect, it } from 'vitest';
import { createKeyedLock } from './keyed-lock.ts';

describe('a keyed lock', () => {
  it('runs tasks of one key in order, one at a time, and tasks of other keys in parallel', async () => {
    const lock = createKeyedLock();
    const events: string[] = [];
    const open: (() => void)[] = [];
    const work = (name: string) => async () => {
      events.push(`${name} begins`);
      await new Promise<void>((resolve) => open.push(resolve));
      events.push(`${name} ends`);
      return name;
    };
    const all = Promise.all([lock('a', work('one')), lock('a', work('two')), lock('b', work('other'))]);
    await new Promise(setImmediate);
    expect(events).toEqual(['one begins', 'other begins']);
    open[0]!();
    await new Promise(setImmediate);
    expect(events.slice(2)).toEqual(['one ends', 'two begins']);
    open[1]!();
    open[2]!();
    expect(await all).toEqual(['one', 'two', 'other']);
  });

  it('continues after a task that failed', async () => {
    const lock = createKeyedLock();
    const failing = lock('a', () => Promise.reject(new Error('no')));
    const next = lock('a', () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('makes a task with several keys wait for all of them, in any order and without deadlocks', async () => {
    const lock = createKeyedLock();
    const order: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
    };
    await Promise.all([
      lock(['a', 'b'], work('first')),
      lock(['b', 'a'], work('second')),
      lock('b', work('third')),
      lock(['c'], work('apart')),
    ]);
    expect(order.filter((entry) => !entry.startsWith('apart'))).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
      'third begins',
      'third ends',
    ]);
    expect(order.indexOf('apart begins')).toBeLessThan(order.indexOf('second begins'));
  });
});
