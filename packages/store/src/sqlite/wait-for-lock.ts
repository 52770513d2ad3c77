import { setTimeout as delay } from 'node:timers/promises';

import { isBusy } from './sqlite-failure.ts';

const longestPauseMs = 20;

/**
 * Runs something that fails while another program holds a lock, again and again until it gets through or the time is
 * over; then it fails as it did. Between two attempts this program does other things, which it could not if SQLite waited.
 */
export async function waitForLock<Result>(timeoutMs: number, attempt: () => Result): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    await delay(pause * (0.5 + Math.random() / 2));
  }
}
