import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { JobsError } from '../jobs-error.ts';

/** The location that a URL names. */
export type JobsLocation =
  | { readonly kind: 'memory' }
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Parses `memory:`, `file:DIRECTORY` or `postgres://…`, as the URLs of `@haft/store` are parsed. */
export function parseJobsUrl(url: string): JobsLocation {
  if (url === 'memory:') return { kind: 'memory' };
  if (/^postgres(?:ql)?:\/\//i.test(url)) return { kind: 'postgres', url };
  const path = /^file:(.+)$/is.exec(url)?.[1];
  if (path === undefined || /[\0?#]/.test(path)) throw refuse(url);
  if (!path.startsWith('//')) {
    return { kind: 'directory', path: path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(path) };
  }
  try {
    return { kind: 'directory', path: fileURLToPath(url) };
  } catch {
    throw refuse(url);
  }
}

/** A server URL may contain a password, so the message shows only the scheme. */
function refuse(url: string): JobsError {
  const shown = JSON.stringify(url.replace(/:\/\/.*$/s, '://…'));
  const message = `openJobs: url is not valid (expected memory:, file:DIRECTORY or postgres://…, got ${shown})`;
  return new JobsError('INVALID_OPTION', message);
}
