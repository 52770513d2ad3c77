import { describe, expect, it } from 'vitest';
import { createStore } from './create-store.ts';

describe('createStore', () => {
  it.each<[unknown, string]>([
    [[], "its argument is not valid (expected an object such as { url: 'memory:' }, got a list)"],
    [{}, 'url and driver are both missing or both given (expected exactly one of them)'],
    [{ url: 'memory:', timeout: 5 }, '"timeout" is not an option (did you mean timeoutMs?)'],
    [{ urls: 'memory:' }, '"urls" is not an option (did you mean url?)'],
    [{ url: 'memory:', zzz: 5 }, '"zzz" is not an option (expected one of url, driver, '],
    [{ url: 'memory:', timeoutMs: 0 }, 'timeoutMs is not valid (expected a whole number from 1, got 0)'],
    [{ url: 'memory:', onCorrupt: 'ignore' }, 'onCorrupt is not valid (expected "set-aside" or "fail", got a string)'],
    [{ url: 'memory:', onWarning: {} }, 'onWarning is not valid (expected a function, got an object)'],
    [
      { url: new URL('postgres://me:s3cret@db/x') },
      'url is not valid (expected a URL such as "file:haft.db", got an object)',
    ],
  ])('rejects %j without showing the URL', async (options, message) => {
    const creation = createStore(options as never);
    await expect(creation).rejects.toMatchObject({ name: 'StoreError', code: 'INVALID_OPTION' });
    await expect(creation).rejects.toThrow(`createStore: ${message}`);
    await expect(creation).rejects.not.toThrow('s3cret');
  });
});
