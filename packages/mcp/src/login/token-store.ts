/**
 * Stores credentials of servers: registrations and tokens, each a string under a key that names the server and the
 * issuer. They are secrets: use a secure store such as the system keychain.
 */
export interface TokenStore {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): void | Promise<void>;
  delete(key: string): void | Promise<void>;
}

/** Creates a token store in memory. */
export function createMemoryTokenStore(): TokenStore {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
  };
}
