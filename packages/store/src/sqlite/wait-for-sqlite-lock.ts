import { setTimeout as delay } from 'node:timers/promises';

import { isBusy } from './sqlite-failure.ts';

const maxPauseMs = 20;

/**
 * Retries `attempt` while another program holds a lock, until it succeeds or the time is over, then throws its last
 * error. Other work continues between attempts; SQLite's own wait would block the event loop.
 */
export async function waitForLock<Result>(timeoutMs: number, attempt: () => Result): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, maxPauseMs)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    await delay(pause * (0.5 + Math.random() / 2));
  }
}
