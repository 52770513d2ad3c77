import { numberKind, stringKind, checkIs, checkOptions, oneOf } from '../check-given.ts';

/** Selects the part of a long text to retain. */
export type KeepMode = 'head' | 'tail' | 'head-tail';

/** Options of {@link truncateOutput}. */
export interface TruncateOptions {
  /** Maximum number of UTF-8 bytes, including the omission line. Default 51,200. */
  readonly maxBytes?: number;
  /** Maximum number of lines, excluding the omission line. Default 2,000. */
  readonly maxLines?: number;
  /** Default `head-tail`: half from either end. */
  readonly keep?: KeepMode;
}

/** A text within the limits, and the amount of omitted text. */
export interface TruncatedOutput {
  /** The retained text, with a line in brackets in place of the omitted part. */
  readonly text: string;
  readonly truncated: boolean;
  /** Number of omitted line breaks; 0 if a single long line was cut. */
  readonly omittedLines: number;
  readonly omittedBytes: number;
  readonly totalLines: number;
  readonly totalBytes: number;
}

const members = { maxBytes: numberKind, maxLines: numberKind, keep: oneOf('head', 'tail', 'head-tail') };
// Bytes reserved for the omission line, which is always shorter.
const markBytes = 80;

/**
 * Shortens a text to a number of bytes and lines. Cuts at line breaks if that retains at least half of the limit,
 * otherwise between code points.
 *
 * @throws TypeError if an argument has the wrong type.
 * @example
 * import { truncateOutput } from '@haft/sandbox';
 * truncateOutput('one\ntwo\nthree\n', { maxLines: 2 }).text; // => 'one\n[… 1 line, 4 bytes omitted …]\nthree\n'
 */
export function truncateOutput(text: string, options: TruncateOptions = {}): TruncatedOutput {
  checkIs('text', text, stringKind);
  checkOptions(options, '{ maxLines: 100 }', members);
  const maxBytes = Math.max(0, options.maxBytes ?? 51_200);
  const maxLines = Math.max(0, options.maxLines ?? 2_000);
  const keep = options.keep ?? 'head-tail';
  const totalBytes = Buffer.byteLength(text);
  const totalLines = countLines(text);
  if (totalBytes <= maxBytes && totalLines <= maxLines) {
    return { text, truncated: false, omittedLines: 0, omittedBytes: 0, totalLines, totalBytes };
  }

  const marked = maxBytes >= 2 * markBytes;
  const bytes = marked ? maxBytes - markBytes : maxBytes;
  const ratio = { head: 1, tail: 0, 'head-tail': 0.5 }[keep];
  const headBytes = Math.ceil(bytes * ratio);
  const headLines = Math.ceil(maxLines * ratio);
  const headEnd = findHeadEnd(text, headBytes, headLines);
  const tailStart = Math.max(headEnd, findTailStart(text, bytes - headBytes, maxLines - headLines));
  const head = text.slice(0, headEnd);
  const tail = text.slice(tailStart);
  const omitted = text.slice(headEnd, tailStart);
  const omittedBytes = Buffer.byteLength(omitted);
  const omittedLines = countBreaks(omitted);
  const mark = marked ? markOmission(head, tail, omittedLines, omittedBytes) : '';
  return { text: head + mark + tail, truncated: true, omittedLines, omittedBytes, totalLines, totalBytes };
}

/** Returns the line that replaces the omitted text between head and tail. */
export function markOmission(head: string, tail: string, lines: number, bytes: number): string {
  const what = lines === 0 ? `${bytes} bytes` : `${lines} ${lines === 1 ? 'line' : 'lines'}, ${bytes} bytes`;
  return `${head === '' || head.endsWith('\n') ? '' : '\n'}[… ${what} omitted …]${tail.startsWith('\n') ? '' : '\n'}`;
}

/** Returns the index at which a head of at most `maxBytes` and `maxLines` ends. */
export function findHeadEnd(text: string, maxBytes: number, maxLines: number = Infinity): number {
  let end = Math.min(text.length, maxBytes);
  for (let line = 0, from = 0; Number.isFinite(maxLines); line += 1) {
    if (line === maxLines) {
      end = Math.min(end, from);
      break;
    }
    from = text.indexOf('\n', from) + 1;
    if (from === 0 || from > end) break;
  }
  if (end === 0) return 0;
  // The whole text nearly always fits, and encoding it to find out would need three times the memory.
  if (end === text.length && Buffer.byteLength(text) <= maxBytes) return end;
  const { read } = new TextEncoder().encodeInto(text.slice(0, end), new Uint8Array(Math.min(maxBytes, end * 3)));
  if (read === text.length) return read;
  // The encoder would treat a cut inside a surrogate pair as a lone surrogate.
  const cut = isLowSurrogate(text, read) && isHighSurrogate(text, read - 1) ? read - 1 : read;
  const lineEnd = cut === 0 ? 0 : text.lastIndexOf('\n', cut - 1) + 1;
  return lineEnd > 0 && lineEnd * 2 >= cut ? lineEnd : cut;
}

/** Returns the index at which a tail of at most `maxBytes` and `maxLines` starts. */
export function findTailStart(text: string, maxBytes: number, maxLines: number = Infinity): number {
  let start = text.length;
  let bytes = 0;
  let lines = 0;
  while (start > 0) {
    const isPair = isLowSurrogate(text, start - 1) && isHighSurrogate(text, start - 2);
    const code = text.charCodeAt(start - 1);
    const size = isPair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    if (bytes + size > maxBytes) break;
    // The line break at the end of the last line does not start a new line.
    if ((code === 10 && start < text.length) || start === text.length) {
      if (lines === maxLines) break;
      lines += 1;
    }
    bytes += size;
    start -= isPair ? 2 : 1;
  }
  if (start === 0 || start === text.length || text[start - 1] === '\n') return start;
  const lineStart = text.indexOf('\n', start) + 1;
  return lineStart > 0 && (text.length - lineStart) * 2 >= text.length - start ? lineStart : start;
}

/** Returns the number of lines. A final line break does not start a new line. */
export function countLines(text: string): number {
  if (text === '') return 0;
  return countBreaks(text) + (text.endsWith('\n') ? 0 : 1);
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800;
}

function isLowSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}
