import { createLineCollapser, createPlainOutput } from './plain-output.ts';
import { countLines, findHeadEnd, findTailStart, markOmission, type TruncatedOutput } from './truncate-output.ts';

/**
 * The output of a program as plain text, with the middle omitted if it is too long. Lines are counted in plain text,
 * bytes in the original output.
 */
export interface CapturedOutput extends TruncatedOutput {
  /** True if the program wrote a NUL or invalid UTF-8. */
  readonly isBinary: boolean;
}

export interface OutputCapture {
  /** Appends raw bytes. Returns their plain text for immediate display, including carriage returns. */
  push(bytes: Uint8Array): string;
  finish(): CapturedOutput;
}

/** Creates a capture that retains the first and last half of `maxBytes`. Memory is bounded for any output. */
export function createOutputCapture(maxBytes: number): OutputCapture {
  const plain = createPlainOutput();
  const collapser = createLineCollapser();
  const head = createHead(Math.ceil(maxBytes / 2));
  const tail = createTail(maxBytes);
  let totalBytes = 0;
  let plainBytes = 0;
  let breaks = 0;
  let endsInBreak = true;

  const append = (text: string): void => {
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
      append(collapser.push(text));
      return text;
    },
    finish() {
      append(collapser.push(plain.end()));
      append(collapser.end());
      const totalLines = breaks + (endsInBreak ? 0 : 1);
      const first = head.text();
      // The tail may use the bytes that the head left unused at a line break or before a wide character.
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
  /** Appends the part that fits and returns the rest. */
  push(text: string): string;
  text(): string;
}

function createHead(maxBytes: number): Head {
  const chunks: string[] = [];
  let remaining = maxBytes;
  return {
    push(text) {
      if (remaining <= 0) return text;
      const end = findHeadEnd(text, remaining);
      chunks.push(text.slice(0, end));
      remaining = end === text.length ? remaining - Buffer.byteLength(text) : 0;
      return text.slice(end);
    },
    text: () => chunks.join(''),
  };
}

interface Tail {
  push(text: string): void;
  /** Returns the last `bytes` of the pushed text. */
  text(bytes: number): string;
}

interface TailChunk {
  text: string;
  bytes: number;
}

// Small chunks are merged to limit their number.
const chunkLength = 16_384;

/** Creates a tail that retains at least the last `maxBytes`. It drops whole chunks and cuts exactly only at the end. */
function createTail(maxBytes: number): Tail {
  const chunks: TailChunk[] = [];
  let storedBytes = 0;
  return {
    push(text) {
      const bytes = Buffer.byteLength(text);
      const last = chunks.at(-1);
      if (last === undefined || last.text.length + text.length > chunkLength) chunks.push({ text, bytes });
      else {
        last.text += text;
        last.bytes += bytes;
      }
      storedBytes += bytes;
      for (let first = chunks[0]; first !== undefined && storedBytes - first.bytes >= maxBytes; first = chunks[0]) {
        storedBytes -= first.bytes;
        chunks.shift();
      }
    },
    text(bytes) {
      const whole = chunks.map(({ text }) => text).join('');
      return whole.slice(findTailStart(whole, bytes));
    },
  };
}
