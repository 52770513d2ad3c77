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

/** Content-addressed storage in append-only segment files. */
export interface ContentStore {
  has(hash: string): boolean;
  /** Stores a content. Returns false if the store is full. Stored contents are durable after `flush` and a restart. */
  add(hash: string, bytes: Uint8Array): boolean;
  /** Returns undefined if the content is missing or no longer matches its hash. */
  read(hash: string): Uint8Array | undefined;
  /** Writes buffered contents to disk. */
  flush(): void;
  /** Resolves once all flushed contents survive a crash of the machine. */
  sync(): Promise<void>;
  /** Stored bytes, including headers. */
  readonly size: number;
  /** Drops contents that are not in `live`. Rewrites a segment only if that frees at least 30 % of it. */
  retain(live: ReadonlySet<string>): void;
  close(): void;
}

interface RecordLocation {
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
}

const syncData = promisify(fdatasync);
const headerBytes = 40;
const recordMagic = 0x48_4a_30_31;
const maxSegmentBytes = 64 * 1_024 * 1_024;
const maxBufferedBytes = 1_024 * 1_024;
const flags =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW);
/** Limit of the search after a damaged record, because contents may contain the magic number too. */
const maxProbes = 1_000;
const segmentName = /^contents-(\d{6,9})\.pack$/;

/**
 * Opens the store in `folder`. A record consists of a magic number, the hash, the length and the content. Reading skips
 * records that a crash truncated, and writing never appends after one.
 */
export function openContentStore(folder: string, maxBytes: number): ContentStore {
  const locations = new Map<string, RecordLocation>();
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
    for (const [hash, offset, length] of found) locations.set(hash, { segment, offset, length });
    sizes.set(segment, bytes);
    // A scan could not find records after a truncated one.
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
      // Never append after a truncated record. The buffered contents are lost.
      for (const [hash, { segment, offset }] of locations)
        if (segment === current && offset >= start) locations.delete(hash);
      sizes.set(current, fstatSync(descriptor).size);
      size = total();
      current += 1;
      throw error;
    }
  };

  const append = (hash: string, bytes: Uint8Array): void => {
    let end = sizes.get(current) ?? 0;
    if (end > 0 && end + bytes.length > maxSegmentBytes) {
      flush();
      current += 1;
      end = sizes.get(current) ?? 0;
    }
    pending.push(createHeader(hash, bytes.length), bytes);
    pendingBytes += headerBytes + bytes.length;
    locations.set(hash, { segment: current, offset: end + headerBytes, length: bytes.length });
    sizes.set(current, end + headerBytes + bytes.length);
    size += headerBytes + bytes.length;
    if (pendingBytes >= maxBufferedBytes) flush();
  };

  const read = (hash: string): Uint8Array | undefined => {
    const location = locations.get(hash);
    if (location === undefined) return undefined;
    flush();
    const bytes = readFully(open(location.segment), location.offset, location.length);
    return bytes !== undefined && hashContent(bytes) === hash ? bytes : undefined;
  };

  return {
    has: (hash) => locations.has(hash),
    add(hash, bytes) {
      if (locations.has(hash)) return true;
      if (size + headerBytes + bytes.length > maxBytes) return false;
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
        const inSegment = [...locations].filter(([, location]) => location.segment === segment);
        const alive = inSegment.filter(([hash]) => live.has(hash));
        const liveBytes = alive.reduce((sum, [, location]) => sum + location.length + headerBytes, 0);
        if (liveBytes > bytes * 0.7) continue;
        if (segment === current) current += 1;
        for (const [hash] of inSegment) {
          const stored = live.has(hash) ? read(hash) : undefined;
          locations.delete(hash);
          if (stored !== undefined) append(hash, stored);
        }
        // Write the copies before deleting the original.
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

function createHeader(hash: string, length: number): Uint8Array {
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt32BE(recordMagic, 0);
  header.write(hash, 4, 32, 'hex');
  header.writeUInt32BE(length, 36);
  return header;
}

/** Returns the records of a segment and the end offset of the last intact one. */
function scanSegment(
  descriptor: number,
  bytes: number,
): { readonly found: readonly (readonly [hash: string, offset: number, length: number])[]; readonly end: number } {
  const found: (readonly [string, number, number])[] = [];
  const header = Buffer.allocUnsafe(headerBytes);
  let at = 0;
  while (at + headerBytes <= bytes) {
    const length = readHeader(descriptor, header, at);
    if (length === undefined || at + headerBytes + length > bytes) {
      // Damaged: continue with the next intact record.
      const next = findRecord(descriptor, at + 1, bytes);
      if (next === undefined) return { found, end: at };
      at = next;
      continue;
    }
    found.push([header.toString('hex', 4, 36), at + headerBytes, length]);
    at += headerBytes + length;
  }
  return { found, end: at };
}

/** Returns the content length from the header at an offset, or undefined if no header starts there. */
function readHeader(descriptor: number, header: Buffer, at: number): number | undefined {
  if (readSync(descriptor, header, 0, headerBytes, at) < headerBytes || header.readUInt32BE(0) !== recordMagic)
    return undefined;
  return header.readUInt32BE(36);
}

/** Returns the offset of the next record with a valid hash. Gives up after `maxProbes` candidates. */
function findRecord(descriptor: number, from: number, bytes: number): number | undefined {
  const rest = readFully(descriptor, from, bytes - from);
  if (rest === undefined) return undefined;
  const text = Buffer.from(rest.buffer);
  const wanted = Buffer.alloc(4);
  wanted.writeUInt32BE(recordMagic, 0);
  let probes = 0;
  for (let at = text.indexOf(wanted); at !== -1 && probes < maxProbes; at = text.indexOf(wanted, at + 1), probes += 1) {
    if (at + headerBytes > text.length) return undefined;
    const content = text.subarray(at + headerBytes, at + headerBytes + text.readUInt32BE(at + 36));
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
