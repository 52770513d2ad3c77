import { StringDecoder } from 'node:string_decoder';
import { findResponseFaults, type ResponseFault } from '../protocol/response-faults.ts';

/** Receives the contents of a stream of lines. */
export interface JsonLineListener {
  onMessage(message: Readonly<Record<string, unknown>>): void;
  /** Called for a line that is not a message, with its first 200 characters. */
  onGarbage(sample: string): void;
  /** Called for each response that is not a valid message, with its id and the fault. */
  onMalformed?(id: number | string, fault: string): void;
  /** Called for a skipped line that exceeds the limit. `id` is the message's id, if it could be determined. */
  onOversized(bytes: number, id: number | string | undefined): void;
}

/** Bytes stored from each end of an oversized line, to find its id. */
const endBytes = 512;
const newline = 0x0a;

/**
 * Creates a reader of JSON messages, one per line, from chunks of any size. Takes linear time, holds at most
 * `maxLineBytes` of an unfinished line, and continues after oversized and invalid lines.
 */
export function createJsonLineReader(maxLineBytes: number, listener: JsonLineListener): { feed(chunk: Buffer): void } {
  // Decoding while reading avoids holding a large message both as bytes and as text.
  let decoder = new StringDecoder('utf8');
  let text = '';
  let lineBytes = 0;
  let skippedBytes = 0;
  let head = '';
  let tail = '';

  const append = (bytes: Buffer): void => {
    if (lineBytes === 0 && skippedBytes === 0) {
      head = bytes.toString('latin1', 0, endBytes);
      tail = '';
    } else if (head.length < endBytes) head = (head + bytes.toString('latin1', 0, endBytes)).slice(0, endBytes);
    tail = (tail + bytes.subarray(-endBytes).toString('latin1')).slice(-endBytes);
    if (skippedBytes > 0) {
      skippedBytes += bytes.byteLength;
      return;
    }
    lineBytes += bytes.byteLength;
    if (lineBytes <= maxLineBytes) {
      text += decoder.write(bytes);
      return;
    }
    skippedBytes = lineBytes;
    resetLine();
  };
  const resetLine = (): void => {
    decoder = new StringDecoder('utf8');
    text = '';
    lineBytes = 0;
  };
  const end = (): void => {
    if (skippedBytes > 0) {
      listener.onOversized(skippedBytes, answeredId(head, tail));
      skippedBytes = 0;
      return;
    }
    const line = text + decoder.end();
    resetLine();
    readLine(line, listener);
  };
  return {
    feed(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        const isWhole = lineBytes === 0 && skippedBytes === 0 && at - from <= maxLineBytes;
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
  if (listener.onMalformed) for (const [id, fault] of malformedResponses(text)) listener.onMalformed(id, fault);
  // A message may follow text that was printed without a line break.
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

/** Finds responses in a line that is not a message. */
function malformedResponses(text: string): readonly ResponseFault[] {
  if (!/^[{[]/.test(text)) return [];
  try {
    return findResponseFaults(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Replies repeat the id of their request, so its length is limited. */
const maxIdCharacters = 1_000;

function hasShortId({ id }: { readonly id?: unknown }): boolean {
  return typeof id !== 'string' || id.length <= maxIdCharacters;
}

/** Finds the id at the start or the end of a message. Anything in between may be content. */
function answeredId(head: string, tail: string): number | string | undefined {
  const found =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[\w.:-]{1,100}")\s*,/.exec(head) ??
    /[^\\]"id"\s*:\s*(\d+|"[\w.:-]{1,100}")\s*\}\s*$/.exec(tail);
  return found ? (JSON.parse(found[1]!) as number | string) : undefined;
}
