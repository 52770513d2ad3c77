/** Reads the responses of one HTTP/1.1 connection, one after another. */
export interface ResponseReader {
  /** Reads the next piece of the connection, one character per byte. */
  read(text: string): void;
}

/**
 * Creates a reader of responses with a length or in chunks.
 *
 * @param onResponse called with each complete response; the body of a chunked one includes the lengths of its chunks.
 */
export function createResponseReader(onResponse: (status: number, body: string) => void): ResponseReader {
  let received = '';
  return {
    read(text) {
      received += text;
      for (;;) {
        const headEnd = received.indexOf('\r\n\r\n');
        if (headEnd < 0) return;
        const head = received.slice(0, headEnd).toLowerCase();
        const bodyStart = headEnd + 4;
        const end = head.includes('\r\ntransfer-encoding: chunked')
          ? endOfChunks(received, bodyStart)
          : bodyStart + Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
        if (end === undefined || received.length < end) return;
        const body = received.slice(bodyStart, end);
        received = received.slice(end);
        onResponse(Number(head.slice(9, 12)), body);
      }
    },
  };
}

/** Returns where the last chunk ends, or undefined before it has arrived. */
function endOfChunks(text: string, start: number): number | undefined {
  for (let at = start; ;) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    if (size === 0) return at;
    if (at > text.length) return undefined;
  }
}
