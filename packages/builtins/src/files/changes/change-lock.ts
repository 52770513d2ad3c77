import { createKeyedLock, type KeyedLock } from './keyed-lock.ts';

/**
 * One for all tools of the process that change files, by their paths: two of them, of two sets even, that work on one file
 * at once both succeed, one after the other.
 */
export const changeLock: KeyedLock = createKeyedLock();
