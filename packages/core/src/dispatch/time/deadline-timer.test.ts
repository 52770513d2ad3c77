import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeadlineTimer, type Deadline } from './deadline-timer.ts';

const begin = 1_000_000;
const expired: string[] = [];

function deadlineIn(ms: number, name = `${ms}`): Deadline {
  return { at: Date.now() + ms, expire: () => void expired.push(`${name} at ${Date.now() - begin}`) };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: begin });
  expired.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the deadline timer', () => {
  it('expires each deadline on time, regardless of insertion order', () => {
    const deadlines = createDeadlineTimer();
    for (const ms of [50, 10, 30]) deadlines.add(deadlineIn(ms));
    vi.advanceTimersByTime(20);
    deadlines.add(deadlineIn(5, 'later one'));
    vi.advanceTimersByTime(100);
    expect(expired).toEqual(['10 at 10', 'later one at 25', '30 at 30', '50 at 50']);
  });

  it('expires a deadline of less than a millisecond together with the next one', () => {
    createDeadlineTimer().add(deadlineIn(0.5));
    vi.advanceTimersByTime(1);
    expect(expired).toEqual(['0.5 at 1']);
  });

  it('does not expire a removed deadline', () => {
    const deadlines = createDeadlineTimer();
    const [first, second] = [deadlineIn(10), deadlineIn(20)];
    deadlines.add(first);
    deadlines.add(second);
    deadlines.remove(first);
    vi.advanceTimersByTime(100);
    expect(expired).toEqual(['20 at 20']);
  });

  it('uses one timer for any number of short calls, and none a millisecond later', () => {
    const deadlines = createDeadlineTimer();
    for (let call = 0; call < 1_000; call += 1) {
      const deadline = deadlineIn(120_000);
      deadlines.add(deadline);
      deadlines.remove(deadline);
    }
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has no active timer, which would keep the process alive, after the last call', () => {
    const deadlines = createDeadlineTimer();
    const [first, second] = [deadlineIn(120_000), deadlineIn(120_000)];
    deadlines.add(first);
    vi.advanceTimersByTime(500);
    deadlines.add(second);
    deadlines.remove(first);
    expect(vi.getTimerCount()).toBe(1);
    deadlines.remove(second);
    expect(vi.getTimerCount()).toBe(0);
    deadlines.add(deadlineIn(10, 'the next call'));
    vi.advanceTimersByTime(10);
    expect(expired).toEqual(['the next call at 510']);
  });
});
