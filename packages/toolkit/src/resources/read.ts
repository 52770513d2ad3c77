import { toolError } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { ToolkitError } from '../toolkit-error.ts';
import { answerFailed, answerWith, type Answer } from '../answer.ts';
import { data } from './data.ts';
import type { ResourceDetails } from './define-resource.ts';

/** What {@link read} reads to its end: a file that was opened, an answer over HTTP, a stream, pieces of text or bytes. */
export type ReadSource = Blob | Response | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

/** What {@link read} takes besides the source. */
export interface ReadDetails extends ResourceDetails {
  /** Default: what the source is called (a file's name, the last part of a URL), else `data`. */
  readonly name?: string;
  /** More bytes than this are a failure; default 16 MiB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/**
 * Reads a source to its end and makes a resource of it as `data` does. A source that fails, answers with a status that is no
 * success, or holds too much is an answer with `ok: false`: `READ_ERROR`, `FILE_TOO_LARGE`, `ABORTED`.
 *
 * @throws ToolkitError `BAD_PARAMETER` for what is no source, such as a path, and for a name or URI that can't be used (the
 *   promise rejects).
 */
export async function read(source: ReadSource, details: ReadDetails = {}): Promise<Answer> {
  checkSource(source);
  const { maxBytes = 16 * 1024 * 1024, signal, ...rest } = details;
  const name = details.name ?? nameOf(source);
  if (source instanceof Response && !source.ok)
    return answerFailed(toolError('READ_ERROR', `${name} was answered with status ${source.status}`));
  let bytes: Uint8Array | undefined;
  try {
    bytes = await collect(piecesOf(source), maxBytes, signal);
  } catch (cause) {
    const code = signal?.aborted === true ? 'ABORTED' : 'READ_ERROR';
    return answerFailed(toolError(code, `${name} could not be read: ${describeCause(cause)}`, { cause }));
  }
  if (bytes === undefined)
    return answerFailed(toolError('FILE_TOO_LARGE', `${name} holds more than ${maxBytes} bytes`));
  const type = details.type ?? typeOf(source);
  return answerWith(data(name, bytes, { ...rest, ...(type === undefined ? {} : { type }) }));
}

/** A text is no source: a path would become the content. */
function checkSource(source: unknown): void {
  const isBytes = source instanceof Uint8Array || source instanceof ArrayBuffer;
  if (typeof source === 'object' && source !== null && !isBytes && !Array.isArray(source)) {
    if (source instanceof Response || source instanceof Blob || Symbol.asyncIterator in source) return;
  }
  const instead =
    typeof source === 'string'
      ? 'for a file read(await openAsBlob(path)) of node:fs, for a text text(name, text)'
      : isBytes
        ? 'for bytes that are there data(name, bytes)'
        : 'await what opens it';
  throw new ToolkitError('BAD_PARAMETER', `read: expected a Blob, a Response or a stream; ${instead}`);
}

function piecesOf(source: ReadSource): AsyncIterable<Uint8Array | string> {
  if (source instanceof Response) return source.body ?? new Blob([]).stream();
  return source instanceof Blob ? source.stream() : source;
}

/** All bytes of a source; `undefined` as soon as there are too many. */
async function collect(
  pieces: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    signal?.throwIfAborted();
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    size += bytes.byteLength;
    if (size > maxBytes) return undefined;
    kept.push(bytes);
  }
  return Buffer.concat(kept);
}

function nameOf(source: ReadSource): string {
  if (source instanceof Response) return lastPart(URL.canParse(source.url) ? new URL(source.url).pathname : '');
  const { name, path } = source as { readonly name?: unknown; readonly path?: unknown };
  return lastPart(typeof name === 'string' ? name : typeof path === 'string' ? path : '');
}

function lastPart(path: string): string {
  const part = path.split(/[\\/]/).findLast((each) => each !== '');
  return part === undefined ? 'data' : part.slice(-255);
}

/** What a server says a body is counts; a browser's guess for a file, or no word at all, does not. */
function typeOf(source: ReadSource): string | undefined {
  const type = source instanceof Response ? (source.headers.get('content-type') ?? '') : '';
  return type === '' || /^application\/octet-stream/i.test(type) ? undefined : type;
}
