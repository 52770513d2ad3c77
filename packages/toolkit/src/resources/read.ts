import { toolError } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { ToolkitError } from '../toolkit-error.ts';
import { answerFailed, answerWith, type Answer } from '../answer.ts';
import { data } from './data.ts';
import type { ResourceDetails } from './define-resource.ts';

/** A source for {@link read}: an open file, an HTTP response, a stream, or chunks of text or bytes. */
export type ReadSource = Blob | Response | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

/** Options of {@link read}. */
export interface ReadDetails extends ResourceDetails {
  /** Name of the resource; default the name of the source (a file name or the last segment of a URL), else `data`. */
  readonly name?: string;
  /** Maximum size in bytes; default 16 MiB. Larger sources fail. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/**
 * Reads a source to its end and creates a resource as `data` does. If the source fails, responds with an error status
 * or is too large, the answer has `ok: false` and the code `READ_ERROR`, `FILE_TOO_LARGE` or `ABORTED`.
 *
 * @throws ToolkitError `BAD_PARAMETER` if the source is not supported, such as a path, or the name or URI is invalid
 * (the promise
 *   rejects).
 * @example
 * import { read } from '@haft/toolkit';
 * const answer = await read(new Response('milk'), { name: 'list.txt' });
 * answer.ok && answer.name; // => 'list.txt'
 */
export async function read(source: ReadSource, details: ReadDetails = {}): Promise<Answer> {
  checkSource(source);
  const { maxBytes = 16 * 1024 * 1024, signal, ...rest } = details;
  const name = details.name ?? nameOf(source);
  if (source instanceof Response && !source.ok)
    return answerFailed(toolError('READ_ERROR', `${name} returned the status ${source.status}`));
  let bytes: Uint8Array | undefined;
  try {
    bytes = await collect(piecesOf(source), maxBytes, signal);
  } catch (cause) {
    const code = signal?.aborted === true ? 'ABORTED' : 'READ_ERROR';
    return answerFailed(toolError(code, `${name} could not be read: ${describeCause(cause)}`, { cause }));
  }
  if (bytes === undefined) return answerFailed(toolError('FILE_TOO_LARGE', `${name} has more than ${maxBytes} bytes`));
  const type = details.type ?? typeOf(source);
  return answerWith(data(name, bytes, { ...rest, ...(type === undefined ? {} : { type }) }));
}

/** Rejects strings. A path would otherwise become the content. */
function checkSource(source: unknown): void {
  const isBytes = source instanceof Uint8Array || source instanceof ArrayBuffer;
  if (typeof source === 'object' && source !== null && !isBytes && !Array.isArray(source)) {
    if (source instanceof Response || source instanceof Blob || Symbol.asyncIterator in source) return;
  }
  const instead =
    typeof source === 'string'
      ? 'use read(await openAsBlob(path)) of node:fs for a file, text(name, text) for text'
      : isBytes
        ? 'use data(name, bytes) for bytes'
        : 'await the promise first';
  throw new ToolkitError('BAD_PARAMETER', `read: the source must be a Blob, a Response or a stream; ${instead}`);
}

function piecesOf(source: ReadSource): AsyncIterable<Uint8Array | string> {
  if (source instanceof Response) return source.body ?? new Blob([]).stream();
  return source instanceof Blob ? source.stream() : source;
}

/** Reads all bytes of a source. Returns undefined as soon as the limit is exceeded. */
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

/** Returns the media type that a server reported. A browser's guess for a file and a missing type are ignored. */
function typeOf(source: ReadSource): string | undefined {
  const type = source instanceof Response ? (source.headers.get('content-type') ?? '') : '';
  return type === '' || /^application\/octet-stream/i.test(type) ? undefined : type;
}
