import { createKeyedLock, type KeyedLock } from './keyed-lock.ts';

/**
 * One lock, by path, for all tools of the process that change files: two calls on one file both succeed, one after the
 * other.
 */
export const changeLock: KeyedLock = createKeyedLock();
