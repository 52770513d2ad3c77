import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import { amountKind, stringKind, checkIs, checkOptions, checkText } from '../check-given.ts';
import { openEntry } from '../files/confined-directory.ts';
import { createFailure, failureFromError, type SandboxFailure } from '../sandbox-failure.ts';
import { recordSpill, makeRoomForSpill, removeSpilled } from './spill-retention.ts';
import { findHeadEnd } from './truncate-output.ts';

/** A file for output that is too long to show. */
export interface Spill {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  /**
   * Writes text immediately. Text beyond the limit, or that cannot be written, is dropped and `isComplete` becomes
   * false.
   */
  push(text: string): void;
  /** True if the file contains everything that was pushed. */
  readonly isComplete: boolean;
  close(): void;
  /** Closes and removes the file. */
  discard(): void;
}

/** Options of {@link openSpill}. */
export interface SpillOptions {
  /** Maximum file size in bytes. Default 64 MiB. */
  readonly maxBytes?: number;
}

const defaultMaxBytes = 67_108_864;
const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens a new file for long output in `directory`, an absolute path that is created if missing. Only the owner can read
 * the file. It is removed when this process exits, when the directory contains 64 newer files or 256 MiB, or a day
 * after this process was killed. Codes: `INVALID_PATH`, `NOT_DIRECTORY`, `ACCESS_DENIED`, `WRITE_ERROR`.
 *
 * @throws TypeError if an argument has the wrong type.
 * @example
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { openSpill } from '@haft/sandbox';
 * const spill = openSpill(await mkdtemp(join(tmpdir(), 'spill-')));
 * spill.ok && spill.isComplete; // => true
 */
export function openSpill(directory: string, options: SpillOptions = {}): Spill | SandboxFailure {
  checkText('directory', directory, '/var/tmp/spill');
  checkOptions(options, '{ maxBytes: 1_000_000 }', { maxBytes: amountKind });
  const { maxBytes = defaultMaxBytes } = options;
  const name = `spill-${randomBytes(12).toString('hex')}.txt`;
  if (!isAbsolute(directory) || directory.includes('\0'))
    return createFailure('INVALID_PATH', `${JSON.stringify(directory)} is not an absolute path`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    makeRoomForSpill(directory);
    const entry = openEntry([directory], join(directory, name), { followLast: false });
    if (!entry.ok) return entry;
    try {
      return createSpill(openSync(entry.directory.at(name), flags, 0o600), entry.path, directory, maxBytes);
    } finally {
      entry.directory.close();
    }
  } catch (error) {
    return failureFromError(error, 'WRITE_ERROR', directory);
  }
}

/**
 * Writes a whole text to a new file like {@link openSpill}. Returns its path, or undefined if the text was not written
 * completely.
 *
 * @example
 * import { mkdtemp, readFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { spillText } from '@haft/sandbox';
 * const directory = await mkdtemp(join(tmpdir(), 'spill-'));
 * const path = spillText(directory, 'a long output') ?? '';
 * await readFile(path, 'utf8'); // => 'a long output'
 */
export function spillText(directory: string, text: string, options?: SpillOptions): string | undefined {
  checkIs('text', text, stringKind);
  const spill = openSpill(directory, options);
  if (!spill.ok) return undefined;
  spill.push(text);
  if (!spill.isComplete) spill.discard();
  else spill.close();
  return spill.isComplete ? spill.path : undefined;
}

const bufferBytes = 65_536;

function createSpill(descriptor: number, path: string, directory: string, maxBytes: number): Spill {
  let remaining = maxBytes;
  let isComplete = true;
  let isOpen = true;
  const record = recordSpill(directory, path);
  const encoder = new TextEncoder();
  const scratch = new Uint8Array(bufferBytes);
  const close = (): void => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  return {
    ok: true,
    path,
    get isComplete() {
      return isComplete;
    },
    push(text) {
      if (text === '' || !isComplete || !isOpen) return;
      const end = findHeadEnd(text, remaining);
      isComplete = end === text.length;
      try {
        for (let at = 0; at < end;) {
          // The buffer is reused, because the memory of many chunks would be freed too late.
          const { read, written } = encoder.encodeInto(text.slice(at, end), scratch);
          for (let done = 0; done < written;) done += writeSync(descriptor, scratch, done, written - done);
          at += read;
          remaining -= written;
          record.bytes += written;
        }
      } catch {
        // A full disk must not make the command fail.
        isComplete = false;
      }
    },
    close,
    discard() {
      close();
      removeSpilled(directory, path);
    },
  };
}
