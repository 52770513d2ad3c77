import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Footprint, PermissionRequest } from '@haft/core';
import { onlyReads } from '@haft/core/define';
import { oncePerName } from '../once-per-name.ts';

const filePattern = /^(?:path|file|file_?path|file_?name|target|destination|source)s?$/i;
/** Returns whether an argument's name says that it is a file. */
export const namesFile: (name: string) => boolean = oncePerName((name) => filePattern.test(name));
const nothing: Footprint = Object.freeze({ reads: [], writes: [] });

/**
 * Guesses the files of a call from its arguments, for a tool whose footprint names none: strings and arrays of strings
 * called `path`, `file`, `file_path`, `filename`, `target`, `destination` or `source`. They count as reads if the tool
 * is read-only, otherwise as writes. Use the result only to refuse or ask, never to allow, since the call may touch
 * other files too.
 */
export function suspectFiles(request: PermissionRequest): Footprint {
  const { footprint, traits, cwd } = request;
  const isReading = onlyReads(request);
  if ((traits.pure && isReading) || footprint.reads.some(isNamed) || footprint.writes.some(isNamed)) return nothing;
  let keys: string[] | undefined;
  for (const name of request.argumentNames) {
    if (!namesFile(name)) continue;
    keys ??= [];
    const value = (request.arguments as Readonly<Record<string, unknown>>)[name];
    for (const text of Array.isArray(value) ? value : [value]) {
      const path = typeof text === 'string' ? pathOf(text, cwd) : undefined;
      if (path !== undefined) keys.push(`file:${path}`);
    }
  }
  if (keys === undefined || keys.length === 0) return nothing;
  return isReading ? { reads: keys, writes: [] } : { reads: [], writes: keys };
}

function isNamed(key: string): boolean {
  return key !== '*';
}

function pathOf(text: string, cwd: string): string | undefined {
  const plain = text.trim();
  if (plain === '') return undefined;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(plain))
    return plain.toLowerCase().startsWith('file:') ? pathOfUrl(plain) : undefined;
  const path = resolve(cwd, plain === '~' || plain.startsWith('~/') ? `${homedir()}${plain.slice(1)}` : plain);
  return plain.endsWith('/') && path !== '/' ? `${path}/` : path;
}

function pathOfUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
