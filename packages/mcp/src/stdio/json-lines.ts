import { StringDecoder } from 'node:string_decoder';

/** What a stream of lines brings. */
export interface JsonLineListener {
  onMessage(message: Readonly<Record<string, unknown>>): void;
  /** A line that holds no message; `sample` is its beginning, at most 200 characters. */
  onGarbage(sample: string): void;
  /** A line longer than the limit was skipped; `id` is that of the request it is or answers, when it could be told. */
  onOversized(bytes: number, id: number | string | undefined): void;
}

/** How much of each end of an oversized line is kept to find out which request it answers. */
const endBytes = 512;
const newline = 0x0a;

/**
 * Reads JSON messages, one a line, from chunks cut anywhere. Takes time linear in what it is fed, holds at most
 * `maxLineBytes` of an unfinished line, and goes on after lines that are too long or hold no JSON.
 */
export function createJsonLineReader(maxLineBytes: number, listener: JsonLineListener): { feed(chunk: Buffer): void } {
  // Bytes are read as they come, so that a large message is held once as text and never as bytes as well.
  let decoder = new StringDecoder('utf8');
  let text = '';
  let held = 0;
  let skipped = 0;
  let head = '';
  let tail = '';

  const append = (bytes: Buffer): void => {
    if (held === 0 && skipped === 0) {
      head = bytes.toString('latin1', 0, endBytes);
      tail = '';
    } else if (head.length < endBytes) head = (head + bytes.toString('latin1', 0, endBytes)).slice(0, endBytes);
    tail = (tail + bytes.subarray(-endBytes).toString('latin1')).slice(-endBytes);
    if (skipped > 0) {
      skipped += bytes.byteLength;
      return;
    }
    held += bytes.byteLength;
    if (held <= maxLineBytes) {
      text += decoder.write(bytes);
      return;
    }
    skipped = held;
    forget();
  };
  const forget = (): void => {
    decoder = new StringDecoder('utf8');
    text = '';
    held = 0;
  };
  const end = (): void => {
    if (skipped > 0) {
      listener.onOversized(skipped, answeredId(head, tail));
      skipped = 0;
      return;
    }
    const line = text + decoder.end();
    forget();
    readLine(line, listener);
  };
  return {
    feed(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        const isWhole = held === 0 && skipped === 0 && at - from <= maxLineBytes;
        if (isWhole) readLine(chunk.toString('utf8', from, at), listener);
        else {
          append(chunk.subarray(from, at));
          end();
        }
        from = at + 1;
      }
      if (from < chunk.byteLength) append(chunk.subarray(from));
    },
  };
}

function readLine(line: string, listener: JsonLineListener): void {
  const text = line.trim();
  if (text === '') return;
  const whole = parseMessage(text);
  if (whole) {
    listener.onMessage(whole);
    return;
  }
  listener.onGarbage(text.slice(0, 200));
  // Something printed without a line break in front of a message must not cost the message.
  const at = text.indexOf('{"jsonrpc"', 1);
  const rest = at < 0 ? undefined : parseMessage(text.slice(at));
  if (rest) listener.onMessage(rest);
}

function parseMessage(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isMessage =
      typeof value === 'object' && value !== null && (value as { readonly jsonrpc?: unknown }).jsonrpc === '2.0';
    return isMessage && hasShortId(value) ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** Each reply repeats the id of its request; nobody needs a long one. */
const maxIdCharacters = 1_000;

function hasShortId({ id }: { readonly id?: unknown }): boolean {
  return typeof id !== 'string' || id.length <= maxIdCharacters;
}

/** The id stands at the very beginning or at the very end of a message; anything in between may be its content. */
function answeredId(head: string, tail: string): number | string | undefined {
  const found =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[\w.:-]{1,100}")\s*,/.exec(head) ??
    /[^\\]"id"\s*:\s*(\d+|"[\w.:-]{1,100}")\s*\}\s*$/.exec(tail);
  return found ? (JSON.parse(found[1]!) as number | string) : undefined;
}
