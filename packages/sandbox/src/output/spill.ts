import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import { amount, aText, checkIs, checkOptions, checkText } from '../check-given.ts';
import { openEntry } from '../files/confined-directory.ts';
import { createFailure, failureFromError, type SandboxFailure } from '../sandbox-failure.ts';
import { keepSpilled, makeRoomForSpill, removeSpilled } from './spill-retention.ts';
import { findHeadEnd } from './truncate-output.ts';

/** A file that takes what is too long to show, as it comes. */
export interface Spill {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  /** Writes at once; what is beyond the limit, or can't be written, is dropped and `isComplete` becomes false. */
  push(text: string): void;
  /** Whether everything that was pushed is in the file. */
  readonly isComplete: boolean;
  close(): void;
  /** Closes and removes it. */
  discard(): void;
}

/** Limits of one spill. */
export interface SpillOptions {
  /** The most bytes it takes. Default 64 MiB. */
  readonly maxBytes?: number;
}

const usualBytes = 67_108_864;
const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens a new file in `directory`, an absolute path that is made if it is missing, for output too long to show. Only its
 * owner may read it. It is removed when this process exits, when 64 newer ones or 256 MiB of them are in the directory, or,
 * left behind by a process that was killed, a day later. Failure is data: `INVALID_PATH`, `NOT_DIRECTORY`,
 * `ACCESS_DENIED`, `WRITE_ERROR`.
 *
 * @throws TypeError for arguments of another type.
 */
export function openSpill(directory: string, options: SpillOptions = {}): Spill | SandboxFailure {
  checkText('the directory', directory, '/var/tmp/spill');
  checkOptions(options, '{ maxBytes: 1_000_000 }', { maxBytes: amount });
  const { maxBytes = usualBytes } = options;
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

/** Keeps a whole text in a file of its own, as {@link openSpill}; its path, or undefined when not all of it could be kept. */
export function spillText(directory: string, text: string, options?: SpillOptions): string | undefined {
  checkIs('the text', text, aText);
  const spill = openSpill(directory, options);
  if (!spill.ok) return undefined;
  spill.push(text);
  if (!spill.isComplete) spill.discard();
  else spill.close();
  return spill.isComplete ? spill.path : undefined;
}

const pieceBytes = 65_536;

function createSpill(descriptor: number, path: string, directory: string, maxBytes: number): Spill {
  let room = maxBytes;
  let isComplete = true;
  let isOpen = true;
  const record = keepSpilled(directory, path);
  const encoder = new TextEncoder();
  const scratch = new Uint8Array(pieceBytes);
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
      const end = findHeadEnd(text, room);
      isComplete = end === text.length;
      try {
        for (let at = 0; at < end;) {
          // One that is used again: memory of a flood's every chunk would be let go of only now and then.
          const { read, written } = encoder.encodeInto(text.slice(at, end), scratch);
          for (let done = 0; done < written;) done += writeSync(descriptor, scratch, done, written - done);
          at += read;
          room -= written;
          record.bytes += written;
        }
      } catch {
        // A full disk is no reason to lose the command as well.
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
