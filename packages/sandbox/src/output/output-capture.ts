import { createLineCollapser, createPlainOutput } from './plain-output.ts';
import { countLines, findHeadEnd, findTailStart, markOmission, type TruncatedOutput } from './truncate-output.ts';

/**
 * What a program wrote, as plain text: of a long one the beginning and the end. Lines are counted in plain text, bytes as
 * they were written, before anything was cleaned away.
 */
export interface CapturedOutput extends TruncatedOutput {
  /** The program wrote a NUL or bytes that are not UTF-8. */
  readonly isBinary: boolean;
}

export interface OutputCapture {
  /** Takes raw bytes; gives their plain text, carriage returns left in, for showing at once. */
  push(bytes: Uint8Array): string;
  finish(): CapturedOutput;
}

/** Keeps the first and the last half of `maxBytes` of what it is given: memory stays bounded however much comes. */
export function createOutputCapture(maxBytes: number): OutputCapture {
  const plain = createPlainOutput();
  const collapser = createLineCollapser();
  const head = createHead(Math.ceil(maxBytes / 2));
  const tail = createTail(maxBytes);
  let totalBytes = 0;
  let plainBytes = 0;
  let breaks = 0;
  let endsInBreak = true;

  const keep = (text: string): void => {
    if (text === '') return;
    plainBytes += Buffer.byteLength(text);
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks += 1;
    endsInBreak = text.endsWith('\n');
    tail.push(head.push(text));
  };

  return {
    push(bytes) {
      totalBytes += bytes.length;
      const text = plain.push(bytes);
      keep(collapser.push(text));
      return text;
    },
    finish() {
      keep(collapser.push(plain.end()));
      keep(collapser.end());
      const totalLines = breaks + (endsInBreak ? 0 : 1);
      const first = head.text();
      // What the head left unused, at a line end or before a wide character, is the tail's.
      const last = tail.text(maxBytes - Buffer.byteLength(first));
      const omittedBytes = plainBytes - Buffer.byteLength(first) - Buffer.byteLength(last);
      const shared = { totalLines, totalBytes, isBinary: plain.isBinary };
      if (omittedBytes === 0)
        return { text: first + last, truncated: false, omittedLines: 0, omittedBytes: 0, ...shared };
      const omittedLines = Math.max(0, totalLines - countLines(first) - countLines(last));
      const text = first + markOmission(first, last, omittedLines, omittedBytes) + last;
      return { text, truncated: true, omittedLines, omittedBytes, ...shared };
    },
  };
}

interface Head {
  /** Takes what fits and gives back the rest. */
  push(text: string): string;
  text(): string;
}

function createHead(maxBytes: number): Head {
  const chunks: string[] = [];
  let room = maxBytes;
  return {
    push(text) {
      if (room <= 0) return text;
      const end = findHeadEnd(text, room);
      chunks.push(text.slice(0, end));
      room = end === text.length ? room - Buffer.byteLength(text) : 0;
      return text.slice(end);
    },
    text: () => chunks.join(''),
  };
}

interface Tail {
  push(text: string): void;
  /** The last `bytes` of what was pushed. */
  text(bytes: number): string;
}

interface TailPiece {
  text: string;
  bytes: number;
}

// Small chunks are put together, so that there are never many.
const pieceLength = 16_384;

/** Keeps at least the last `maxBytes`, dropping whole chunks from the front; they are cut to measure only at the end. */
function createTail(maxBytes: number): Tail {
  const chunks: TailPiece[] = [];
  let kept = 0;
  return {
    push(text) {
      const bytes = Buffer.byteLength(text);
      const last = chunks.at(-1);
      if (last === undefined || last.text.length + text.length > pieceLength) chunks.push({ text, bytes });
      else {
        last.text += text;
        last.bytes += bytes;
      }
      kept += bytes;
      for (let first = chunks[0]; first !== undefined && kept - first.bytes >= maxBytes; first = chunks[0]) {
        kept -= first.bytes;
        chunks.shift();
      }
    },
    text(bytes) {
      const whole = chunks.map(({ text }) => text).join('');
      return whole.slice(findTailStart(whole, bytes));
    },
  };
}
