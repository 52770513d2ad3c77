/**
 * Where credentials of servers are values: registrations and tokens, each a text under a key that names the server and the issuer.
 * They are secrets: keep them where others of their kind are, such as the keychain of the system.
 */
export interface TokenStore {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): void | Promise<void>;
  delete(key: string): void | Promise<void>;
}

/** Makes a store that lasts as long as the program. */
export function createMemoryTokenStore(): TokenStore {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
  };
}
