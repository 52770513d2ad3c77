import { getEventListeners, once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { createTimeoutSignal } from './timeout-signal.ts';

test('createTimeoutSignal aborts at the deadline and sets timedOut', async () => {
  const timeout = createTimeoutSignal(undefined, 5);
  await once(timeout.signal, 'abort');
  expect(timeout.timedOut).toBe(true);
  expect(timeout.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('createTimeoutSignal aborts with the reason of the caller and does not set timedOut', () => {
  const controller = new AbortController();
  const timeout = createTimeoutSignal(controller.signal);
  controller.abort('enough');
  expect(timeout.signal.aborted).toBe(true);
  expect(timeout.signal.reason).toBe('enough');
  expect(timeout.timedOut).toBe(false);
});

test('createTimeoutSignal aborts at once and starts no timer if the caller has already aborted', () => {
  vi.useFakeTimers();
  try {
    const timeout = createTimeoutSignal(AbortSignal.abort('before'));
    expect(timeout.signal.reason).toBe('before');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('createTimeoutSignal leaves neither timer nor listener after dispose, deadline or abort', () => {
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

test('createTimeoutSignal waits 30 seconds by default, forever with Infinity, and caps long delays', () => {
  vi.useFakeTimers();
  try {
    const standard = createTimeoutSignal();
    const endless = createTimeoutSignal(undefined, Infinity);
    const long = createTimeoutSignal(undefined, 1e12);
    vi.advanceTimersByTime(29_999);
    expect(standard.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect([standard, endless, long].map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
    long.dispose();
  } finally {
    vi.useRealTimers();
  }
});
