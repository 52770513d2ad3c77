import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { StoreError } from '../store-error.ts';

/** The location that a store URL names. */
export type StoreLocation =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Parses a `memory:`, `file:` or `postgres:` URL. The text after `file:` is a literal path, relative to the working
 * directory, in which `~/` is the home directory. `file:///…` is a URL with escapes.
 */
export function parseStoreUrl(url: string): StoreLocation {
  if (typeof url !== 'string') throw refuse(typeof url);
  if (url === 'memory:') return { kind: 'memory' };
  if (/^postgres(?:ql)?:\/\//i.test(url)) return { kind: 'postgres', url };
  const path = /^file:(.*)$/is.exec(url)?.[1];
  if (path === undefined) throw refuse(url);
  return { kind: 'sqlite', path: path.startsWith('//') ? fromFileUrl(url) : fromPath(path, url) };
}

function fromFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new StoreError('INVALID_OPTION', `url: ${JSON.stringify(url)} is not a file URL of this machine`, { cause });
  }
}

function fromPath(path: string, url: string): string {
  // SQLite interprets these characters in its own URLs, so treating them as part of the name would be surprising.
  if (path === '' || path.startsWith(':') || /[\0?#]/.test(path)) throw refuse(url);
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(path);
}

function refuse(url: string): StoreError {
  // A server URL may contain a password, so the message shows only the scheme.
  const shown = JSON.stringify(url.replace(/:\/\/.*$/s, '://…'));
  return new StoreError(
    'INVALID_OPTION',
    `url: ${shown} is not a store URL (expected memory:, file:PATH or postgres://…)`,
  );
}
