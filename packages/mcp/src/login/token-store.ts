/**
 * Where credentials of servers are kept: registrations and tokens, each a text under a key that names the server and the issuer.
 * They are secrets: keep them where others of their kind are, such as the keychain of the system.
 */
export interface TokenStore {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): void | Promise<void>;
  delete(key: string): void | Promise<void>;
}

/** Makes a store that lasts as long as the program. */
export function createMemoryTokenStore(): TokenStore {
  const kept = new Map<string, string>();
  return {
    get: (key) => kept.get(key),
    set: (key, value) => void kept.set(key, value),
    delete: (key) => void kept.delete(key),
  };
}
