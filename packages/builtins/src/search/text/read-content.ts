import { detectEncoding, type ConfinedFile } from '@haft/sandbox/reading';
import { findRequiredText } from '../patterns/find-required-text.ts';
import type { TextQuery } from './text-search.ts';

/** The bytes of a file that may hold a match, which hold until the next file is read; undefined where nothing can match. */
export type FileContent = Uint8Array | { readonly problem: string } | undefined;

/** Reads the contents of files, one after another. */
export interface ContentReader {
  read(file: ConfinedFile): FileContent;
  /** Looks at content that was read elsewhere. */
  select(bytes: Uint8Array): FileContent;
}

const smallBytes = 1_048_576;
const wholeBytes = 10_000_000;
const maxBytes = 100_000_000;
/** Files of /proc and the like claim to be empty. */
const unsizedBytes = 65_536;
const large = { problem: 'large' } as const;
/** Of the thread that reads: memory that is there already costs a fraction of new memory. */
let shared: Buffer | undefined;

/** Whether a file of this size is left out: more than 100 MB, or 10 MB where a match may reach over lines. */
export function isTooLarge(size: number, { isMultiline }: TextQuery): boolean {
  return size > (isMultiline ? wholeBytes : maxBytes);
}

/** Makes a reader. Files in UTF-16 are left out from 10 MB. `onLarge` hears when a large file has been read. */
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

/** The most common bytes of text and code, most common first. Other bytes are rarer. */
const common = Buffer.from(' etaoinsrlcdhupmfgbywv.,()"');
const shortestProbe = 3;

/** Where the part of a text begins that is found fastest: engines leap from one place of its first byte to the next. */
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
