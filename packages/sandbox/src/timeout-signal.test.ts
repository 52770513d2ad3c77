import { getEventListeners, once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { createTimeoutSignal } from './timeout-signal.ts';

test('aborts at the deadline and says that it was the deadline', async () => {
  const timeout = createTimeoutSignal(undefined, 5);
  await once(timeout.signal, 'abort');
  expect(timeout.timedOut).toBe(true);
  expect(timeout.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test("aborts with the caller's signal and its reason, and says that it was not the deadline", () => {
  const controller = new AbortController();
  const timeout = createTimeoutSignal(controller.signal);
  controller.abort('enough');
  expect(timeout.signal.aborted).toBe(true);
  expect(timeout.signal.reason).toBe('enough');
  expect(timeout.timedOut).toBe(false);
});

test('is aborted from the start when the signal is, and starts no timer', () => {
  vi.useFakeTimers();
  try {
    const timeout = createTimeoutSignal(AbortSignal.abort('before'));
    expect(timeout.signal.reason).toBe('before');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('leaves neither timer nor listener after dispose, deadline or abort', () => {
  vi.useFakeTimers();
  try {
    const controllers = [new AbortController(), new AbortController(), new AbortController()] as const;
    const [disposed, expired, aborted] = controllers.map(({ signal }) => createTimeoutSignal(signal, 1_000));
    expect(vi.getTimerCount()).toBe(3);
    disposed?.dispose();
    disposed?.dispose();
    controllers[2].abort();
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(controllers.map(({ signal }) => getEventListeners(signal, 'abort').length)).toEqual([0, 0, 0]);
    expect([disposed, expired, aborted].map((timeout) => [timeout?.signal.aborted, timeout?.timedOut])).toEqual([
      [false, false],
      [true, true],
      [true, false],
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test('waits 30 seconds by default, for ever on request, and no less for a time no timer can hold', () => {
  vi.useFakeTimers();
  try {
    const usual = createTimeoutSignal();
    const endless = createTimeoutSignal(undefined, Infinity);
    const long = createTimeoutSignal(undefined, 1e12);
    vi.advanceTimersByTime(29_999);
    expect(usual.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect([usual, endless, long].map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
    long.dispose();
  } finally {
    vi.useRealTimers();
  }
});
