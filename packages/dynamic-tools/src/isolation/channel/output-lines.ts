/** Cuts what a process prints into lines for people, of which no flood comes through. */
export interface OutputLines {
  feed(chunk: Buffer): void;
}

const maxLine = 2_000;
/** A character has up to four bytes. */
const maxLineBytes = maxLine * 4;
/** Lines of one second. */
const mostLines = 100;
const lineEnd = 0x0a;
const nothing = Buffer.alloc(0);

/** @param hear is told each line, cut at its maximum; those beyond a hundred a second are counted and not told. */
export function createOutputLines(hear: (line: string) => void, now: () => number = Date.now): OutputLines {
  /** The beginning of a line whose end has not come. */
  let rest: Buffer = nothing;
  let since = now();
  let told = 0;
  let dropped = 0;
  const tell = (bytes: Buffer): void => {
    if (now() - since >= 1_000) {
      since = now();
      told = 0;
      if (dropped > 0) hear(`(${dropped} more lines)`);
      dropped = 0;
    }
    if (told >= mostLines) {
      dropped += 1;
      return;
    }
    const line = bytes.toString('utf8', 0, maxLineBytes).replace(/\r$/, '');
    if (line.trim() === '') return;
    told += 1;
    hear(line.slice(0, maxLine));
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
          tell(rest.length > 0 ? join(chunk.subarray(start, at)) : chunk.subarray(start, at));
        rest = nothing;
        start = at + 1;
      }
      if (start < chunk.length) rest = join(chunk.subarray(start));
    },
  };
}
