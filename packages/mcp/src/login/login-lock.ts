import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TokenStore } from './token-store.ts';

/** Milliseconds without renewal after which a lease counts as abandoned. */
const leaseMs = 10_000;
const renewMs = leaseMs / 4;
const pollMs = 100;

/** Logins that run in this process, by store and server. */
const running = new WeakMap<TokenStore, Map<string, Promise<void>>>();

/**
 * Runs one login per server at a time, across connections and, if the store has `setIf`, across processes. Callers in
 * this process share the running login and its failure. The task must read the tokens again, because another process
 * may have renewed them.
 */
export function shareLogin(
  store: TokenStore,
  server: string,
  signal: AbortSignal,
  task: () => Promise<void>,
): Promise<void> {
  const logins = running.get(store) ?? new Map<string, Promise<void>>();
  running.set(store, logins);
  const known = logins.get(server);
  if (known) return known;
  const login = withLease(store, JSON.stringify(['lock', server]), signal, task).finally(() => logins.delete(server));
  logins.set(server, login);
  return login;
}

/**
 * Runs the task while this process holds a lease in the store. The holder keeps changing the value of the lease, so
 * that waiting processes can detect its end without a common clock. An empty value is a free lease.
 */
async function withLease(
  store: TokenStore,
  key: string,
  signal: AbortSignal,
  task: () => Promise<void>,
): Promise<void> {
  if (!store.setIf) return task();
  const setIf = store.setIf.bind(store);
  let own: string = randomUUID();
  let seen: string | undefined;
  let seenAt = performance.now();
  for (;;) {
    const current = await store.get(key);
    if (current !== seen) seenAt = performance.now();
    seen = current;
    const isFree = (current ?? '') === '' || performance.now() - seenAt >= leaseMs;
    if (isFree && (await setIf(key, current, own))) break;
    if (signal.aborted) throw new Error('another process did not finish its login in time');
    await delay(pollMs * (0.5 + Math.random()));
  }
  const renew = async (before: Promise<void>, next: string): Promise<void> => {
    await before;
    try {
      if (await setIf(key, own, next)) own = next;
    } catch {
      // The store may answer again before the lease ends.
    }
  };
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    const next = randomUUID();
    renewing = renew(renewing, next);
  }, renewMs);
  timer.unref();
  try {
    await task();
  } finally {
    clearInterval(timer);
    await renewing;
    await setIf(key, own, '');
  }
}
