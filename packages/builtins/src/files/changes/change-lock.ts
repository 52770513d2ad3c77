import { createKeyedLock, type KeyedLock } from './keyed-lock.ts';

/**
 * The lock, by path, for all tools of this process that change files. Two calls on one file run one after the other,
 * and both succeed.
 */
export const changeLock: KeyedLock = createKeyedLock();
