/** Keeps the end of a stream of bytes, whatever its length. */
export interface TailBuffer {
  append(chunk: Uint8Array): void;
  /** The last bytes as text; what a cut left of a character is dropped. */
  text(maxBytes?: number): string;
  /** How many bytes have gone through. */
  readonly total: number;
}

/** Makes a tail buffer that holds at most twice `capacity` bytes, and at least the last `capacity`. */
export function createTailBuffer(capacity: number): TailBuffer {
  let chunks: Uint8Array[] = [];
  let held = 0;
  let total = 0;
  return {
    append(chunk) {
      total += chunk.byteLength;
      const kept = chunk.byteLength > capacity ? chunk.slice(chunk.byteLength - capacity) : chunk;
      chunks.push(kept);
      held += kept.byteLength;
      if (held <= 2 * capacity) return;
      const tail = Buffer.concat(chunks).subarray(-capacity);
      chunks = [Buffer.from(tail)];
      held = tail.byteLength;
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
