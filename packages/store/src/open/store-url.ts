import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { StoreError } from '../store-error.ts';

/** Where the documents of a URL are. */
export type StorePlace =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Reads `memory:`, `file:` and `postgres:` URLs. What follows `file:` is a path as it is written, relative to the working
 * directory, `~/` being the home directory; `file:///…` is a URL, with its escapes.
 */
export function parseStoreUrl(url: string): StorePlace {
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
    throw new StoreError('INVALID_OPTION', `${JSON.stringify(url)} names no file of this machine`, { cause });
  }
}

function fromPath(path: string, url: string): string {
  // SQLite gives these a meaning in its own URLs; taken as a part of the name they would surprise.
  if (path === '' || path.startsWith(':') || /[\0?#]/.test(path)) throw refuse(url);
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(path);
}

function refuse(url: string): StoreError {
  // The address of a server may hold a password, so only what comes before it is shown.
  const shown = JSON.stringify(url.replace(/:\/\/.*$/s, '://…'));
  return new StoreError('INVALID_OPTION', `${shown} is no place for a store: memory:, file:PATH or postgres://…`);
}
