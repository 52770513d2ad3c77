import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hashContent } from '@haft/sandbox';
import { syncFolder } from '../log/journal-log.ts';

/** Contents by their hash, in files that only grow. */
export interface ContentStore {
  has(hash: string): boolean;
  /** Keeps a content; false when there is no room for it. What is kept can be read after `flush`, and after a restart. */
  add(hash: string, bytes: Uint8Array): boolean;
  /** Undefined for what is not there or no longer has its hash. */
  read(hash: string): Uint8Array | undefined;
  /** Writes what is still held back. */
  flush(): void;
  /** Resolves once all that was flushed outlives a crash of the machine. */
  sync(): Promise<void>;
  /** How many bytes are kept. */
  readonly size: number;
  /** Forgets whatever is not live, where that gives back enough to be worth it. */
  retain(live: ReadonlySet<string>): void;
  close(): void;
}

interface Place {
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
}

const syncData = promisify(fdatasync);
const headBytes = 40;
const mark = 0x48_4a_30_31;
const largestSegment = 64 * 1_024 * 1_024;
const heldBack = 1_024 * 1_024;
const flags =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW);
/** Marks that are looked at behind a damaged record, since contents may hold as many as they like. */
const maxLooks = 1_000;
const segmentName = /^contents-(\d{6,9})\.pack$/;

/**
 * Opens the contents in `folder`. Each record is a mark, the hash, the length, and the content; a record that a crash cut off is passed
 * over, and nothing is ever written behind it.
 */
export function openContentStore(folder: string, maxBytes: number): ContentStore {
  const places = new Map<string, Place>();
  const descriptors = new Map<number, number>();
  const sizes = new Map<number, number>();
  const unsynced = new Set<number>();
  let isNewSegment = false;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let current = 0;

  const pathOf = (segment: number): string => join(folder, `contents-${String(segment).padStart(6, '0')}.pack`);
  const open = (segment: number): number => {
    let descriptor = descriptors.get(segment);
    if (descriptor === undefined) {
      descriptor = openSync(pathOf(segment), flags, 0o600);
      descriptors.set(segment, descriptor);
      isNewSegment = true;
    }
    return descriptor;
  };

  for (const name of readdirSync(folder).toSorted()) {
    const number = segmentName.exec(name)?.[1];
    if (number === undefined) continue;
    const segment = Number(number);
    const bytes = statSync(join(folder, name)).size;
    const { found, end } = scanSegment(open(segment), bytes);
    for (const [hash, offset, length] of found) places.set(hash, { segment, offset, length });
    sizes.set(segment, bytes);
    // What follows a record that was cut off could not be found again.
    current = end === bytes ? segment : segment + 1;
  }

  const total = (): number => [...sizes.values()].reduce((sum, size) => sum + size, 0);
  let size = total();

  const flush = (): void => {
    if (pending.length === 0) return;
    const bytes = Buffer.concat(pending, pendingBytes);
    pending = [];
    pendingBytes = 0;
    const descriptor = open(current);
    const start = fstatSync(descriptor).size;
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
      unsynced.add(current);
    } catch (error) {
      // Nothing is written behind a record that was cut off, and what was held back is not kept.
      for (const [hash, { segment, offset }] of places) if (segment === current && offset >= start) places.delete(hash);
      sizes.set(current, fstatSync(descriptor).size);
      size = total();
      current += 1;
      throw error;
    }
  };

  const append = (hash: string, bytes: Uint8Array): void => {
    let end = sizes.get(current) ?? 0;
    if (end > 0 && end + bytes.length > largestSegment) {
      flush();
      current += 1;
      end = sizes.get(current) ?? 0;
    }
    pending.push(createHead(hash, bytes.length), bytes);
    pendingBytes += headBytes + bytes.length;
    places.set(hash, { segment: current, offset: end + headBytes, length: bytes.length });
    sizes.set(current, end + headBytes + bytes.length);
    size += headBytes + bytes.length;
    if (pendingBytes >= heldBack) flush();
  };

  const read = (hash: string): Uint8Array | undefined => {
    const place = places.get(hash);
    if (place === undefined) return undefined;
    flush();
    const bytes = readFully(open(place.segment), place.offset, place.length);
    return bytes !== undefined && hashContent(bytes) === hash ? bytes : undefined;
  };

  return {
    has: (hash) => places.has(hash),
    add(hash, bytes) {
      if (places.has(hash)) return true;
      if (size + headBytes + bytes.length > maxBytes) return false;
      append(hash, bytes);
      return true;
    },
    read,
    flush,
    async sync() {
      flush();
      const segments = [...unsynced];
      unsynced.clear();
      for (const segment of segments) {
        const descriptor = descriptors.get(segment);
        if (descriptor !== undefined) await syncData(descriptor);
      }
      if (isNewSegment) syncFolder(folder);
      isNewSegment = false;
    },
    get size() {
      return size;
    },
    retain(live) {
      flush();
      for (const [segment, bytes] of Array.from(sizes)) {
        const here = [...places].filter(([, place]) => place.segment === segment);
        const alive = here.filter(([hash]) => live.has(hash));
        const liveBytes = alive.reduce((sum, [, place]) => sum + place.length + headBytes, 0);
        if (liveBytes > bytes * 0.7) continue;
        if (segment === current) current += 1;
        for (const [hash] of here) {
          const kept = live.has(hash) ? read(hash) : undefined;
          places.delete(hash);
          if (kept !== undefined) append(hash, kept);
        }
        // First the copy, then the end of the original.
        flush();
        for (const copied of unsynced) fsyncSync(open(copied));
        const descriptor = descriptors.get(segment);
        if (descriptor !== undefined) closeSync(descriptor);
        descriptors.delete(segment);
        sizes.delete(segment);
        rmSync(pathOf(segment), { force: true });
      }
      size = total();
    },
    close() {
      flush();
      for (const descriptor of descriptors.values()) closeSync(descriptor);
      descriptors.clear();
    },
  };
}

function createHead(hash: string, length: number): Uint8Array {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32BE(mark, 0);
  head.write(hash, 4, 32, 'hex');
  head.writeUInt32BE(length, 36);
  return head;
}

/** The records of a segment, and where the last whole one ends. */
function scanSegment(
  descriptor: number,
  bytes: number,
): { readonly found: readonly (readonly [hash: string, offset: number, length: number])[]; readonly end: number } {
  const found: (readonly [string, number, number])[] = [];
  const head = Buffer.allocUnsafe(headBytes);
  let at = 0;
  while (at + headBytes <= bytes) {
    const length = readHead(descriptor, head, at);
    if (length === undefined || at + headBytes + length > bytes) {
      // Damaged: goes on with the next record that is whole.
      const next = findRecord(descriptor, at + 1, bytes);
      if (next === undefined) return { found, end: at };
      at = next;
      continue;
    }
    found.push([head.toString('hex', 4, 36), at + headBytes, length]);
    at += headBytes + length;
  }
  return { found, end: at };
}

/** The length of the content whose head is at an offset, if one is. */
function readHead(descriptor: number, head: Buffer, at: number): number | undefined {
  if (readSync(descriptor, head, 0, headBytes, at) < headBytes || head.readUInt32BE(0) !== mark) return undefined;
  return head.readUInt32BE(36);
}

/** Where the next record is of which the content has its hash; looked for a bounded number of times. */
function findRecord(descriptor: number, from: number, bytes: number): number | undefined {
  const rest = readFully(descriptor, from, bytes - from);
  if (rest === undefined) return undefined;
  const text = Buffer.from(rest.buffer);
  const wanted = Buffer.alloc(4);
  wanted.writeUInt32BE(mark, 0);
  let looks = 0;
  for (let at = text.indexOf(wanted); at !== -1 && looks < maxLooks; at = text.indexOf(wanted, at + 1), looks += 1) {
    if (at + headBytes > text.length) return undefined;
    const content = text.subarray(at + headBytes, at + headBytes + text.readUInt32BE(at + 36));
    if (hashContent(content) === text.toString('hex', at + 4, at + 36)) return from + at;
  }
  return undefined;
}

function readFully(descriptor: number, offset: number, length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const got = readSync(descriptor, bytes, filled, length - filled, offset + filled);
    if (got === 0) return undefined;
    filled += got;
  }
  return bytes;
}
