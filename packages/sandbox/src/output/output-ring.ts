import { createLineCollapser, createPlainOutput } from './plain-output.ts';

/** A part of what a program has written. */
export interface OutputSlice {
  /** Plain text, in whole characters. */
  readonly text: string;
  /** Where to read on: characters since the beginning, at the end of `text`. */
  readonly cursor: number;
  /** Characters between the cursor that was asked for and the beginning of `text`, which are no longer kept. */
  readonly dropped: number;
  /** There is more behind `text` already. */
  readonly isMore: boolean;
  /** The last line as far as it has come, where `text` goes up to it; what it becomes is read later. */
  readonly open: string;
}

/** Keeps the latest output of a program, to be read from wherever a reader has come. */
export interface OutputRing {
  /** Takes raw bytes; gives the settled text, as it is kept. */
  push(bytes: Uint8Array): string;
  /** Settles what was held back; gives it. */
  finish(): string;
  /**
   * Reads from a cursor, an earlier answer's or 0 for the beginning, at most so many characters, at least one. Without a
   * cursor: the last ones.
   */
  read(cursor: number | undefined, maxCharacters: number): OutputSlice;
  /** Everything that is still kept. */
  readonly kept: string;
  /** Characters that are no longer kept. */
  readonly dropped: number;
  readonly totalCharacters: number;
  readonly totalBytes: number;
  /** The program wrote a NUL or bytes that are not UTF-8. */
  readonly isBinary: boolean;
}

// Small chunks are put together, so that there are never many.
const pieceLength = 16_384;

/**
 * Makes a ring that keeps at least the last `maxCharacters`, and not much more: memory stays bounded whatever comes. What goes
 * is handed to `onDrop`, in order.
 */
export function createOutputRing(maxCharacters: number, onDrop: (text: string) => void = () => {}): OutputRing {
  const plain = createPlainOutput();
  const collapser = createLineCollapser();
  const chunks: string[] = [];
  let keptLength = 0;
  let dropped = 0;
  let totalBytes = 0;

  const keep = (text: string): string => {
    if (text === '') return text;
    const last = chunks.at(-1);
    if (last === undefined || last.length + text.length > pieceLength) chunks.push(text);
    else chunks[chunks.length - 1] = last + text;
    keptLength += text.length;
    for (let first = chunks[0]; first !== undefined && keptLength - first.length >= maxCharacters; first = chunks[0]) {
      keptLength -= first.length;
      dropped += first.length;
      chunks.shift();
      onDrop(first);
    }
    return text;
  };

  return {
    push(bytes) {
      totalBytes += bytes.length;
      return keep(collapser.push(plain.push(bytes)));
    },
    finish: () => keep(collapser.push(plain.end()) + collapser.end()),
    read(cursor, limit) {
      const most = Math.max(1, limit);
      const kept = chunks.join('');
      const asked = cursor ?? Math.max(0, dropped + keptLength - most);
      const from = Math.min(Math.max(asked, dropped), dropped + keptLength) - dropped;
      const start = from + (isInside(kept, from) ? 1 : 0);
      const wanted = Math.min(start + most, kept.length);
      // One character of two units is given even where there is room for one unit.
      const end = isInside(kept, wanted) ? wanted + (wanted - 1 > start ? -1 : 1) : wanted;
      return {
        text: kept.slice(start, end),
        cursor: dropped + end,
        dropped: Math.max(0, dropped - asked),
        isMore: end < kept.length,
        open: end < kept.length ? '' : collapser.open,
      };
    },
    get kept() {
      return chunks.join('');
    },
    get dropped() {
      return dropped;
    },
    get totalCharacters() {
      return dropped + keptLength;
    },
    get totalBytes() {
      return totalBytes;
    },
    get isBinary() {
      return plain.isBinary;
    },
  };
}

/** Whether a position is in the middle of a character. */
function isInside(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
