import type { ConfinedFile, TextFormat } from '@haft/sandbox';
import { decodeText } from '@haft/sandbox';
import { takeTurns } from '../../search/walk/take-walk-turns.ts';
import { cutLine, splitLines } from '../../files/text-lines.ts';

/** The requested lines of a file. */
export interface WindowRequest {
  /** The first line, starting at 1. A negative value counts lines from the end. */
  readonly offset: number;
  readonly limit: number;
}

/** Lines of a file. Each is truncated to the maximum length. */
export interface ReadWindow {
  readonly lines: readonly string[];
  /** The same lines without truncation. Not available for a streamed file. */
  readonly wholeLines?: readonly string[];
  /** Number of the first line shown. */
  readonly firstLine: number;
  /** Undefined if the file was not read to its end. */
  readonly totalLines: number | undefined;
  /** Whether the file has more lines after this window. */
  readonly hasMore: boolean;
  /** Whether the size limit ended the window before the requested number of lines. */
  readonly isFull: boolean;
}

/** Maximum length of a shown line, in characters. */
export const maxLineLength = 2_000;
/** Maximum size of a window, in bytes of UTF-8. */
export const maxWindowBytes = 51_200;

/** Returns the requested lines of a text in memory. */
export function takeWindow(text: string, request: WindowRequest): ReadWindow {
  const all = splitLines(text);
  const first = startOf(request.offset, all.length);
  const collected = createCollector();
  let index = first - 1;
  while (index < all.length && index < first - 1 + request.limit && collected.add(all[index]!.text)) index += 1;
  return {
    lines: collected.lines,
    wholeLines: all.slice(first - 1, index).map((line) => line.text),
    firstLine: first,
    totalLines: all.length,
    hasMore: index < all.length,
    isFull: collected.isFull,
  };
}

/**
 * Reads the requested lines of a large file. Stops at the last requested line and holds little of the file in memory.
 * Lines are split by bytes, which is correct for UTF-8 and Windows-1252.
 */
export async function streamWindow(
  file: ConfinedFile,
  request: WindowRequest,
  format: TextFormat,
  signal?: AbortSignal,
): Promise<ReadWindow> {
  const counted = request.offset < 0 ? await countFileLines(file, signal) : undefined;
  const totalLines = counted?.lines;
  const first = startOf(request.offset, totalLines ?? Infinity);
  const from = counted?.marks.findLast((mark) => mark.line <= first) ?? beginning;
  const collected = createCollector();
  let { line } = from;
  let taken = 0;
  let hasMore = false;
  await forEachLine(file, from, signal, (start, length, bytes) => {
    if (line < first) {
      line += 1;
      return true;
    }
    if (taken >= request.limit) hasMore = true;
    else if (collected.add(decodeLine(bytes(), format, start === 0), length)) taken += 1;
    else hasMore = true;
    line += 1;
    return !hasMore;
  });
  return {
    lines: collected.lines,
    firstLine: first,
    totalLines: hasMore ? totalLines : line - 1,
    hasMore,
    isFull: collected.isFull,
  };
}

function startOf(offset: number, totalLines: number): number {
  return offset < 0 ? Math.max(1, totalLines + offset + 1) : Math.max(1, offset);
}

interface Collector {
  readonly lines: readonly string[];
  readonly isFull: boolean;
  /** Returns false if the line does not fit. */
  add(text: string, length?: number): boolean;
}

function createCollector(): Collector {
  const lines: string[] = [];
  let room = maxWindowBytes;
  let isFull = false;
  return {
    lines,
    get isFull() {
      return isFull;
    },
    add(text, length) {
      const shown = cutLine(text, maxLineLength, length);
      room -= Buffer.byteLength(shown) + 1;
      isFull = room < 0 && lines.length > 0;
      if (!isFull) lines.push(shown);
      return !isFull;
    },
  };
}

const pieceBytes = 131_072;
// Four bytes per character at most, plus a few more to detect that a line was truncated.
const keptLineBytes = maxLineLength * 4 + 8;

type LineVisitor = (start: number, length: number, bytes: () => Uint8Array) => boolean;

/** Reads a file in chunks from a position on. The bytes of a chunk are valid until the next chunk. */
async function* readPieces(
  file: ConfinedFile,
  start: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ readonly position: number; readonly bytes: Uint8Array }> {
  const turns = takeTurns();
  const room = new Uint8Array(pieceBytes);
  for (let position = start; position < file.size;) {
    signal?.throwIfAborted();
    const length = file.readInto(room, position);
    if (length === 0) return;
    yield { position, bytes: room.subarray(0, length) };
    position += length;
    const turn = turns.next();
    if (turn !== undefined) await turn;
  }
}

/** The start of a line. */
interface LineMark {
  readonly position: number;
  readonly line: number;
}

const beginning: LineMark = { position: 0, line: 1 };

/** Visits each line with its first bytes. Stops when the visitor returns false. */
async function forEachLine(
  file: ConfinedFile,
  from: LineMark,
  signal: AbortSignal | undefined,
  visit: LineVisitor,
): Promise<void> {
  let open = new Uint8Array(0);
  let openLength = 0;
  let lineStart = from.position;
  for await (const { position, bytes: chunk } of readPieces(file, from.position, signal)) {
    let next = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, next)) {
      const end = at;
      const begin = next;
      const head = open;
      const wasOpen = openLength;
      const bytes = (): Uint8Array => dropReturn(join(head, chunk.subarray(begin, end)));
      if (!visit(lineStart, wasOpen + end - begin, bytes)) return;
      next = at + 1;
      lineStart = position + next;
      open = new Uint8Array(0);
      openLength = 0;
    }
    open = join(open, chunk.subarray(next));
    openLength += chunk.length - next;
  }
  if (openLength > 0) visit(lineStart, openLength, () => dropReturn(open));
}

/** Counts the lines and marks one line per chunk, so that later reads can start near a line. */
async function countFileLines(
  file: ConfinedFile,
  signal: AbortSignal | undefined,
): Promise<{ readonly lines: number; readonly marks: readonly LineMark[] }> {
  const marks: LineMark[] = [];
  let breaks = 0;
  let last = 10;
  for await (const { position, bytes: chunk } of readPieces(file, 0, signal)) {
    const first = chunk.indexOf(10);
    if (first !== -1) {
      breaks += 1;
      marks.push({ position: position + first + 1, line: breaks + 1 });
      // A loop over bytes is faster here, because a search call per short line costs more.
      for (let at = first + 1; at < chunk.length; at += 1) if (chunk[at] === 10) breaks += 1;
    }
    last = chunk[chunk.length - 1]!;
  }
  return { lines: last === 10 ? breaks : breaks + 1, marks };
}

function join(head: Uint8Array, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const room = Math.max(0, keptLineBytes - head.length);
  const joined = new Uint8Array(head.length + Math.min(room, rest.length));
  joined.set(head);
  joined.set(rest.subarray(0, room), head.length);
  return joined;
}

function dropReturn(bytes: Uint8Array): Uint8Array {
  return bytes.length < keptLineBytes && bytes[bytes.length - 1] === 13 ? bytes.subarray(0, -1) : bytes;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function decodeLine(bytes: Uint8Array, format: TextFormat, isFirst: boolean): string {
  if (format.encoding !== 'utf-8') return decodeText(bytes).text;
  // The truncated bytes may end inside a character. Only whole characters are decoded.
  const text = utf8.decode(bytes, { stream: true });
  utf8.decode();
  return isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text;
}
