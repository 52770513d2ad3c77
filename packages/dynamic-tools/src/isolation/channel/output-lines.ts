/** Splits a process's output into lines for the log and limits their rate. */
export interface OutputLines {
  feed(chunk: Buffer): void;
}

const maxLine = 2_000;
/** A character takes up to four bytes in UTF-8. */
const maxLineBytes = maxLine * 4;
/** Maximum number of lines per second. */
const maxLines = 100;
const lineEnd = 0x0a;
const nothing = Buffer.alloc(0);

/** @param onLine receives each line, cut at its maximum length; lines beyond 100 per second are only counted. */
export function createOutputLines(onLine: (line: string) => void, now: () => number = Date.now): OutputLines {
  /** The incomplete last line. */
  let rest: Buffer = nothing;
  let since = now();
  let emitted = 0;
  let dropped = 0;
  const emit = (bytes: Buffer): void => {
    if (now() - since >= 1_000) {
      since = now();
      emitted = 0;
      if (dropped > 0) onLine(`(${dropped} more lines)`);
      dropped = 0;
    }
    if (emitted >= maxLines) {
      dropped += 1;
      return;
    }
    const line = bytes.toString('utf8', 0, maxLineBytes).replace(/\r$/, '');
    if (line.trim() === '') return;
    emitted += 1;
    onLine(line.slice(0, maxLine));
  };
  const join = (bytes: Buffer): Buffer => {
    if (rest.length >= maxLineBytes) return rest;
    return Buffer.concat([rest, bytes.subarray(0, maxLineBytes - rest.length)]);
  };
  return {
    feed(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, start)) {
        if (at > start || rest.length > 0)
          emit(rest.length > 0 ? join(chunk.subarray(start, at)) : chunk.subarray(start, at));
        rest = nothing;
        start = at + 1;
      }
      if (start < chunk.length) rest = join(chunk.subarray(start));
    },
  };
}
