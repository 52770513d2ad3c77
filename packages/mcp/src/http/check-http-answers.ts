import { failedResponse, findResponseFaults, isErrorObject } from '../protocol/response-faults.ts';

type Id = string | number;

/** The request in the body of an HTTP request. */
export interface SentRequest {
  readonly id: Id;
  readonly method: string;
}

/** Returns the request in the body of an HTTP request. Undefined for other messages. */
export function readSentRequest(body: unknown): SentRequest | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    const { id, method } = (JSON.parse(body) ?? {}) as Readonly<Record<string, unknown>>;
    return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number')
      ? { id, method }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns what to use instead of a JSON body that does not answer its request: no other message will. Undefined if the
 * body holds a valid response.
 *
 * @param value parsed body.
 */
export function replaceAnswer(value: unknown, id: Id): object | undefined {
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (messages.some((message) => isResponseTo(message, id))) return undefined;
  for (const message of messages) {
    const [found] = findResponseFaults(message);
    if (found && String(found[0]) === String(id)) return failedResponse(id, found[1]);
    // A server that can't read a request does not know its id.
    const { id: answered, error } = (message ?? {}) as Readonly<Record<string, unknown>>;
    if ((answered === undefined || answered === null) && isErrorObject(error))
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } };
  }
  return failedResponse(id, 'it does not answer the request');
}

function isResponseTo(message: unknown, id: Id): boolean {
  const { id: answered, method } = (message ?? {}) as Readonly<Record<string, unknown>>;
  return method === undefined && String(answered) === String(id) && findResponseFaults(message).length === 0;
}

/** A larger event is not checked: a malformed response is a mistake, and mistakes are small. */
const maxCheckedBytes = 64 * 1024;

/** Collects the bytes of one event of a stream, to find malformed responses in it. */
export interface EventCheck {
  add(bytes: Uint8Array): void;
  /** Ends the event. Returns further events that fail the requests of malformed responses in it. */
  end(): Uint8Array | undefined;
}

/** Creates the check of the events of one stream. */
export function createEventCheck(): EventCheck {
  let chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add(bytes) {
      size += bytes.byteLength;
      if (size <= maxCheckedBytes) chunks.push(bytes);
      else chunks = [];
    },
    end() {
      const text = size <= maxCheckedBytes ? Buffer.concat(chunks).toString('utf8') : '';
      chunks = [];
      size = 0;
      const failed = faultsOfEvent(text).map((fault) => `data: ${JSON.stringify(failedResponse(...fault))}\n\n`);
      return failed.length === 0 ? undefined : Buffer.from(failed.join(''));
    },
  };
}

function faultsOfEvent(text: string): ReturnType<typeof findResponseFaults> {
  const fields = text.split(/\r\n|\n|\r/).map((line) => /^(data|event): ?(.*)$/.exec(line) ?? []);
  const valuesOf = (field: string): readonly string[] =>
    fields.flatMap(([, name, value = '']) => (name === field ? [value] : []));
  const [data, event = ''] = [valuesOf('data').join('\n'), valuesOf('event').at(-1)];
  if (data === '' || (event !== '' && event !== 'message')) return [];
  try {
    return findResponseFaults(JSON.parse(data));
  } catch {
    return [];
  }
}
