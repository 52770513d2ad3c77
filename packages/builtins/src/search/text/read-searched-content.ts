import { detectEncoding, type ConfinedFile } from '@haft/sandbox/reading';
import { findRequiredText } from '../patterns/find-required-text.ts';
import type { TextQuery } from './text-search.ts';

/**
 * The bytes of a file that may contain a match, valid until the next file is read. Undefined if the file can't contain
 * one.
 */
export type FileContent = Uint8Array | { readonly problem: string } | undefined;

/** Reads the contents of files, one file at a time. */
export interface ContentReader {
  read(file: ConfinedFile): FileContent;
  /** Checks content that was already read. */
  select(bytes: Uint8Array): FileContent;
}

const smallBytes = 1_048_576;
const wholeBytes = 10_000_000;
const maxBytes = 100_000_000;
/** Number of bytes to read from files that report a size of zero, such as those in /proc. */
const unsizedBytes = 65_536;
const large = { problem: 'large' } as const;
/** A buffer that the thread reuses, because new memory costs many times as much. */
let shared: Buffer | undefined;

/** Returns whether a file is too large to search: more than 100 MB, or 10 MB if matches may span lines. */
export function isTooLarge(size: number, { isMultiline }: TextQuery): boolean {
  return size > (isMultiline ? wholeBytes : maxBytes);
}

/** Creates a reader. Skips UTF-16 files of more than 10 MB. Calls `onLarge` after reading a large file. */
export function createContentReader(query: TextQuery, onLarge: () => void): ContentReader {
  const requiredText = findRequiredText(query.source, query.flags);
  const required = requiredText === undefined ? undefined : Buffer.from(requiredText, 'latin1');
  const probe = required?.subarray(rarestStart(required));
  const readBytes = (file: ConfinedFile): Uint8Array => {
    const { size } = file;
    shared ??= Buffer.allocUnsafeSlow(smallBytes);
    const room =
      size > smallBytes ? Buffer.allocUnsafeSlow(size) : shared.subarray(0, size === 0 ? unsizedBytes : size);
    const bytes = room.subarray(0, file.readInto(room, 0));
    if (size > smallBytes) onLarge();
    return bytes;
  };
  const select = (bytes: Uint8Array): FileContent => {
    if (bytes.length === 0) return undefined;
    const isWide = detectEncoding(bytes.subarray(0, 2)).encoding.startsWith('utf-16');
    if (isWide && bytes.length > wholeBytes) return large;
    const isPossible = required === undefined || isWide || (holds(bytes, probe!) && holds(bytes, required));
    return isPossible ? bytes : undefined;
  };
  return {
    select,
    read(file) {
      if (isTooLarge(file.size, query)) return large;
      try {
        return select(readBytes(file));
      } catch {
        return { problem: 'READ_ERROR' };
      }
    },
  };
}

/** The most common bytes of text and code, most common first. All other bytes are rarer. */
const common = Buffer.from(' etaoinsrlcdhupmfgbywv.,()"');
const shortestProbe = 3;

/**
 * Returns the offset at which the search text begins with its rarest byte. Engines find such a suffix fastest, because
 * they skip from one occurrence of the first byte to the next.
 */
function rarestStart(text: Buffer): number {
  let best = 0;
  const rarityAt = (index: number): number => {
    const rank = common.indexOf(text[index]!);
    return rank === -1 ? common.length : rank;
  };
  for (let index = 1; index <= text.length - shortestProbe; index += 1)
    if (rarityAt(index) > rarityAt(best)) best = index;
  return best;
}

function holds(bytes: Uint8Array, wanted: Buffer): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(wanted);
}
