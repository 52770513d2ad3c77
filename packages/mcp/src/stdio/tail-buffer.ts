/** Stores the end of a byte stream. */
export interface TailBuffer {
  append(chunk: Uint8Array): void;
  /** Returns the last bytes as text, without partial characters. */
  text(maxBytes?: number): string;
  /** Total number of bytes appended. */
  readonly total: number;
}

/** Creates a tail buffer that holds at least the last `capacity` bytes and at most twice as many. */
export function createTailBuffer(capacity: number): TailBuffer {
  let chunks: Uint8Array[] = [];
  let storedBytes = 0;
  let total = 0;
  return {
    append(chunk) {
      total += chunk.byteLength;
      const stored = chunk.byteLength > capacity ? chunk.slice(chunk.byteLength - capacity) : chunk;
      chunks.push(stored);
      storedBytes += stored.byteLength;
      if (storedBytes <= 2 * capacity) return;
      const tail = Buffer.concat(chunks).subarray(-capacity);
      chunks = [Buffer.from(tail)];
      storedBytes = tail.byteLength;
    },
    text(maxBytes = capacity) {
      const bytes = Buffer.concat(chunks).subarray(-Math.min(maxBytes, capacity));
      return bytes.toString('utf8').replace(/^\uFFFD+/, '');
    },
    get total() {
      return total;
    },
  };
}
