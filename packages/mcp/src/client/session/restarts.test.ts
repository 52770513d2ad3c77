import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openConnection, rawServer, unfenced } from '../../fixtures/open-connection.ts';
import { createRestarts } from './restarts.ts';

describe('attempts to bring a server back', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  const fail = (times: number[]) => async (): Promise<boolean> => {
    times.push(performance.now());
    return false;
  };

  it('come at once, then after pauses that double to a minute', async () => {
    const times: number[] = [];
    const begun = performance.now();
    createRestarts({ attempt: fail(times), onExhausted: () => undefined, maxAttempts: 100, random: () => 1 }).begin();
    await vi.advanceTimersByTimeAsync(400_000);
    const pauses = times.map((time, index) => time - (index === 0 ? begun : times[index - 1]!));
    expect(pauses.slice(0, 4)).toEqual([0, 500, 1_000, 2_000]);
    expect(Math.max(...pauses)).toBe(60_000);
  });

  it('are spread over the whole pause', async () => {
    const times: number[] = [];
    createRestarts({ attempt: fail(times), onExhausted: () => undefined, maxAttempts: 3, random: () => 0.5 }).begin();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(times.map((time) => time - times[0]!)).toEqual([0, 250, 750]);
  });

  it('are given up after the last, and told', async () => {
    const times: number[] = [];
    const onExhausted = vi.fn();
    createRestarts({ attempt: fail(times), onExhausted, maxAttempts: 3, random: () => 0 }).begin();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(times).toHaveLength(3);
    expect(onExhausted).toHaveBeenCalledOnce();
  });

  it('begin anew for a server that ran well, and go on for one that fell over again', async () => {
    const restarts = createRestarts({
      attempt: () => Promise.resolve(true),
      onExhausted: () => undefined,
      maxAttempts: 100,
      random: () => 1,
    });
    restarts.begin();
    await vi.advanceTimersByTimeAsync(0);
    expect(restarts.attempts).toBe(1);
    restarts.begin();
    await vi.advanceTimersByTimeAsync(499);
    expect(restarts.attempts).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(restarts.attempts).toBe(2);
    await vi.advanceTimersByTimeAsync(10_000);
    restarts.begin();
    await vi.advanceTimersByTimeAsync(0);
    expect(restarts.attempts).toBe(1);
  });

  it('come at once for a call that waits', async () => {
    const answers = [false, true];
    const restarts = createRestarts({
      attempt: () => Promise.resolve(answers.shift()!),
      onExhausted: () => undefined,
      maxAttempts: 100,
      random: () => 1,
    });
    restarts.begin();
    await vi.advanceTimersByTimeAsync(0);
    expect(await restarts.retryNow()).toBe(true);
  });
});

describe('a server that falls over', () => {
  it('is back for the next call, with the same tools', async () => {
    const { connection, registry, call, becomes, events } = await openConnection({
      ...rawServer('crash'),
      restart: true,
    });
    try {
      const before = registry.get('raw_act');
      const first = connection.pid;
      const back = becomes('ready');
      const lost = await call('raw_act');
      expect(lost).toMatchObject({ ok: false, error: { code: 'CONNECTION_LOST', details: { exitCode: 3 } } });
      await back;
      expect(connection.state).toBe('ready');
      expect(connection.pid).not.toBe(first);
      expect(registry.get('raw_act')).toBe(before);
      expect(unfenced(await call('raw_lists'))).toBe('1');
      expect(events.filter((event) => event.type === 'state-change').map((event) => event.state)).toEqual([
        'restarting',
        'ready',
      ]);
    } finally {
      await connection.close();
    }
  });

  it('is waited for by a call that comes meanwhile', async () => {
    const { connection, call, becomes } = await openConnection({ ...rawServer('crash'), restart: true });
    try {
      const restarting = becomes('restarting');
      const pid = connection.pid!;
      process.kill(pid, 'SIGKILL');
      await restarting;
      // This mode ends at every call: what matters is that the call reached the new process.
      expect(await call('raw_act')).toMatchObject({
        ok: false,
        error: { code: 'CONNECTION_LOST', details: { exitCode: 3 } },
      });
      expect(connection.pid).not.toBe(pid);
    } finally {
      await connection.close();
    }
  });

  it('is left alone once the connection is closed', async () => {
    const { connection, becomes } = await openConnection({ ...rawServer('crash'), restart: true });
    const restarting = becomes('restarting');
    process.kill(connection.pid!, 'SIGKILL');
    await restarting;
    await connection.close();
    expect(connection.state).toBe('closed');
  });
});
