import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestConnection, rawServer, unfenced } from '../../fixtures/test-connection.ts';
import { createRestarts } from './restarts.ts';

describe('restart attempts', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  const fail = (times: number[]) => async (): Promise<boolean> => {
    times.push(performance.now());
    return false;
  };

  it('start at once, then after delays that double up to a minute', async () => {
    const times: number[] = [];
    const begun = performance.now();
    createRestarts({ attempt: fail(times), onExhausted: () => undefined, maxAttempts: 100, random: () => 1 }).start();
    await vi.advanceTimersByTimeAsync(400_000);
    const pauses = times.map((time, index) => time - (index === 0 ? begun : times[index - 1]!));
    expect(pauses.slice(0, 4)).toEqual([0, 500, 1_000, 2_000]);
    expect(Math.max(...pauses)).toBe(60_000);
  });

  it('use full jitter', async () => {
    const times: number[] = [];
    createRestarts({ attempt: fail(times), onExhausted: () => undefined, maxAttempts: 3, random: () => 0.5 }).start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(times.map((time) => time - times[0]!)).toEqual([0, 250, 750]);
  });

  it('end after the last attempt with a callback', async () => {
    const times: number[] = [];
    const onExhausted = vi.fn();
    createRestarts({ attempt: fail(times), onExhausted, maxAttempts: 3, random: () => 0 }).start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(times).toHaveLength(3);
    expect(onExhausted).toHaveBeenCalledOnce();
  });

  it('start over for a server that was healthy, and continue for one that failed again', async () => {
    const restarts = createRestarts({
      attempt: () => Promise.resolve(true),
      onExhausted: () => undefined,
      maxAttempts: 100,
      random: () => 1,
    });
    restarts.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(restarts.attempts).toBe(1);
    restarts.start();
    await vi.advanceTimersByTimeAsync(499);
    expect(restarts.attempts).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(restarts.attempts).toBe(2);
    await vi.advanceTimersByTimeAsync(10_000);
    restarts.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(restarts.attempts).toBe(1);
  });

  it('start at once for a waiting call', async () => {
    const answers = [false, true];
    const restarts = createRestarts({
      attempt: () => Promise.resolve(answers.shift()!),
      onExhausted: () => undefined,
      maxAttempts: 100,
      random: () => 1,
    });
    restarts.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(await restarts.retryNow()).toBe(true);
  });
});

describe('a server that crashes', () => {
  it('is restarted for the next call with the same tools', async () => {
    const { connection, registry, call, becomes, events } = await createTestConnection({
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

  it('makes a call during the restart wait', async () => {
    const { connection, call, becomes } = await createTestConnection({ ...rawServer('crash'), restart: true });
    try {
      const restarting = becomes('restarting');
      const pid = connection.pid!;
      process.kill(pid, 'SIGKILL');
      await restarting;
      // This mode exits at every call, so reaching the new process is enough.
      expect(await call('raw_act')).toMatchObject({
        ok: false,
        error: { code: 'CONNECTION_LOST', details: { exitCode: 3 } },
      });
      expect(connection.pid).not.toBe(pid);
    } finally {
      await connection.close();
    }
  });

  it('is not restarted after the connection is closed', async () => {
    const { connection, becomes } = await createTestConnection({ ...rawServer('crash'), restart: true });
    const restarting = becomes('restarting');
    process.kill(connection.pid!, 'SIGKILL');
    await restarting;
    await connection.close();
    expect(connection.state).toBe('closed');
  });
});
