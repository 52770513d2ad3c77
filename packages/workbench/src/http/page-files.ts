import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WorkbenchError } from '../workbench-error.ts';
import { refuse, respond } from './respond.ts';

/** The built page: a fixed list of files. */
export interface PageFiles {
  /**
   * Serves a file by its path below the page, such as `assets/index.js`; an empty path is the page itself. `folder` is
   * the path from the URL of the page to its files, if that URL has no slash at its end.
   */
  serve(path: string, folder?: string): Promise<Response>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Allows only files of this server: no inline scripts, forms, frames or markup made from text. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Finds the directory of the built page, from the source or from a file of the build. */
export function findPage(): string {
  const candidates = ['../../dist/page/', './page/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return candidates.find((path) => existsSync(path)) ?? candidates[0]!;
}

/**
 * Opens the built page.
 *
 * @throws WorkbenchError `PAGE_NOT_BUILT` when a request arrives and the page has not been built.
 */
export function openPage(directory: string): PageFiles {
  let files: Promise<ReadonlySet<string>> | undefined;
  return {
    async serve(path, folder = '') {
      files ??= listFiles(directory);
      const name = path === '' ? 'index.html' : path;
      if (!(await files).has(name)) return refuse(404, 'path: the page has no such file');
      const type = types[extname(name)] ?? 'application/octet-stream';
      const headers = name === 'index.html' ? { 'content-security-policy': contentPolicy } : cacheable;
      const text = await readFile(join(directory, name), 'utf8');
      const isMoved = folder !== '' && name === 'index.html';
      return respond(200, type, isMoved ? text.replaceAll('="./', `="./${folder}`) : text, headers);
    },
  };
}

/** The names of assets contain a hash of their content. */
const cacheable = { 'cache-control': 'private, max-age=31536000, immutable' };

async function listFiles(directory: string): Promise<ReadonlySet<string>> {
  try {
    const entries = await readdir(directory, { recursive: true });
    return new Set(entries.map((entry) => entry.replaceAll('\\', '/')).filter((entry) => extname(entry) in types));
  } catch (cause) {
    throw new WorkbenchError(
      'PAGE_NOT_BUILT',
      'the files of the page are missing (install @haft/workbench again; in a clone, "npm run demo -- ui" builds them)',
      { cause },
    );
  }
}
