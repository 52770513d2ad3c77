import { createLineCollapser, createPlainOutput } from './plain-output.ts';

/** A range of a program's output. */
export interface OutputSlice {
  /** Plain text in whole characters. */
  readonly text: string;
  /** The cursor for the next read: the number of characters from the start to the end of `text`. */
  readonly cursor: number;
  /** Number of dropped characters between the requested cursor and the start of `text`. */
  readonly dropped: number;
  /** True if there is more output after `text`. */
  readonly hasMore: boolean;
  /** The unfinished last line, if `text` reaches it. Its final state is read later. */
  readonly open: string;
}

/** Stores the latest output of a program for readers at any position. */
export interface OutputRing {
  /** Appends raw bytes. Returns the settled text as it is stored. */
  push(bytes: Uint8Array): string;
  /** Settles the remaining text and returns it. */
  finish(): string;
  /**
   * Reads from a cursor (from an earlier result, or 0 for the start), at least one character and at most
   * `maxCharacters`. Without a cursor, reads the last ones.
   */
  read(cursor: number | undefined, maxCharacters: number): OutputSlice;
  /** All stored text. */
  readonly stored: string;
  /** Number of dropped characters. */
  readonly dropped: number;
  readonly totalCharacters: number;
  readonly totalBytes: number;
  /** True if the program wrote a NUL or invalid UTF-8. */
  readonly isBinary: boolean;
}

// Small chunks are merged to limit their number.
const chunkLength = 16_384;

/**
 * Creates a ring that stores at least the last `maxCharacters`, and not much more. Dropped text is passed to `onDrop`,
 * in order.
 */
export function createOutputRing(maxCharacters: number, onDrop: (text: string) => void = () => {}): OutputRing {
  const plain = createPlainOutput();
  const collapser = createLineCollapser();
  const chunks: string[] = [];
  let storedLength = 0;
  let dropped = 0;
  let totalBytes = 0;

  const append = (text: string): string => {
    if (text === '') return text;
    const last = chunks.at(-1);
    if (last === undefined || last.length + text.length > chunkLength) chunks.push(text);
    else chunks[chunks.length - 1] = last + text;
    storedLength += text.length;
    for (
      let first = chunks[0];
      first !== undefined && storedLength - first.length >= maxCharacters;
      first = chunks[0]
    ) {
      storedLength -= first.length;
      dropped += first.length;
      chunks.shift();
      onDrop(first);
    }
    return text;
  };

  return {
    push(bytes) {
      totalBytes += bytes.length;
      return append(collapser.push(plain.push(bytes)));
    },
    finish: () => append(collapser.push(plain.end()) + collapser.end()),
    read(cursor, limit) {
      const maxLength = Math.max(1, limit);
      const stored = chunks.join('');
      const requested = cursor ?? Math.max(0, dropped + storedLength - maxLength);
      const from = Math.min(Math.max(requested, dropped), dropped + storedLength) - dropped;
      const start = from + (isInside(stored, from) ? 1 : 0);
      const wanted = Math.min(start + maxLength, stored.length);
      // A surrogate pair is returned even if only one code unit was requested.
      const end = isInside(stored, wanted) ? wanted + (wanted - 1 > start ? -1 : 1) : wanted;
      return {
        text: stored.slice(start, end),
        cursor: dropped + end,
        dropped: Math.max(0, dropped - requested),
        hasMore: end < stored.length,
        open: end < stored.length ? '' : collapser.open,
      };
    },
    get stored() {
      return chunks.join('');
    },
    get dropped() {
      return dropped;
    },
    get totalCharacters() {
      return dropped + storedLength;
    },
    get totalBytes() {
      return totalBytes;
    },
    get isBinary() {
      return plain.isBinary;
    },
  };
}

/** Returns true if a position is inside a surrogate pair. */
function isInside(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
