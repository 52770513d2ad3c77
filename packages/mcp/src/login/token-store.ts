import { createHash } from 'node:crypto';
import type { Store } from '@haft/store';
import { z } from 'zod';

/**
 * Stores credentials of servers: registrations and tokens, each a string under a key that names the server and the
 * issuer. They are secrets: use a secure store such as the system keychain.
 */
export interface TokenStore {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): void | Promise<void>;
  delete(key: string): void | Promise<void>;
  /**
   * Stores the value only if the current one equals `expected` (undefined: there is no value), in one atomic step.
   * Returns whether it did. Required if several processes share the store: only one of them may refresh a token at a
   * time, because authorization servers revoke a refresh token that is used twice.
   */
  setIf?(key: string, expected: string | undefined, value: string): boolean | Promise<boolean>;
}

/** Creates a token store in memory. */
export function createMemoryTokenStore(): TokenStore {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
    setIf(key, expected, value) {
      if (values.get(key) !== expected) return false;
      values.set(key, value);
      return true;
    },
  };
}

/**
 * Creates a token store in a store of `@haft/store`, which several processes may share. Credentials are as safe as the
 * file or database that they are in; they are not encrypted.
 *
 * @example
 * import { createTokenStore } from '@haft/mcp';
 * import { createStore } from '@haft/store';
 * const store = await createStore({ url: 'memory:' });
 * const tokens = createTokenStore(store); // for the option `login` of `createConnection`
 * typeof tokens.get; // => 'function'
 * await store.close();
 */
export function createTokenStore(store: Store): TokenStore {
  const secrets = store.collection('mcp/credentials', z.object({ value: z.string() }));
  // Keys hold URLs, which may be longer than keys of a store.
  const keyOf = (key: string): string => createHash('sha256').update(key).digest('hex');
  return {
    get: async (key) => (await secrets.get(keyOf(key)))?.value.value,
    set: async (key, value) => void (await secrets.set(keyOf(key), { value })),
    delete: async (key) => void (await secrets.delete(keyOf(key))),
    async setIf(key, expected, value) {
      const current = await secrets.get(keyOf(key));
      if (current?.value.value !== expected) return false;
      return (await secrets.set(keyOf(key), { value }, { ifVersion: current?.version ?? 0 })).ok;
    },
  };
}
