import { createLineCollapser, createPlainOutput } from './plain-output.ts';
import { countLines, findHeadEnd, findTailStart, markOmission } from './truncate-output.ts';

/** What a program wrote. */
export interface CapturedOutput {
  /** Plain text; of a long one the beginning and the end, with a line in brackets between. */
  readonly text: string;
  /** Something was left out. */
  readonly truncated: boolean;
  readonly omittedLines: number;
  readonly omittedBytes: number;
  /** Lines of plain text, whether kept or not. */
  readonly totalLines: number;
  /** Bytes the program wrote, before anything was cleaned away. */
  readonly totalBytes: number;
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
  const pieces: string[] = [];
  let room = maxBytes;
  return {
    push(text) {
      if (room <= 0) return text;
      const end = findHeadEnd(text, room);
      pieces.push(text.slice(0, end));
      room = end === text.length ? room - Buffer.byteLength(text) : 0;
      return text.slice(end);
    },
    text: () => pieces.join(''),
  };
}

// Cutting is dear, so some more is let in before it is done again.
const spareLength = 524_288;

interface Tail {
  push(text: string): void;
  /** The last `bytes` of what was pushed. */
  text(bytes: number): string;
}

function createTail(maxBytes: number): Tail {
  let pieces: string[] = [];
  let length = 0;
  const shorten = (bytes: number): void => {
    const whole = pieces.join('');
    const start = findTailStart(whole, bytes);
    pieces = [whole.slice(start)];
    length = whole.length - start;
  };
  return {
    push(text) {
      if (text === '') return;
      pieces.push(text);
      length += text.length;
      if (length > 2 * maxBytes + spareLength) shorten(maxBytes);
    },
    text(bytes) {
      // A text has at most three bytes to a code unit: below a third nothing can be over.
      if (length * 3 > bytes) shorten(bytes);
      return pieces.join('');
    },
  };
}
