import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { FetchProblem } from './fetch-problem.ts';
import type { Exchange } from './http-exchange.ts';

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
};

/** The supported encodings, as sent in requests. */
export const acceptedEncodings = 'gzip, deflate, br';

/**
 * Reads and decompresses a body of up to `maxBytes`, both compressed and decompressed. Memory is bounded, because
 * decompression stops at the limit. Throws if the body is incomplete.
 */
export async function readBody(exchange: Exchange, maxBytes: number): Promise<Uint8Array> {
  const { response } = exchange;
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const announced = Number(response.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  let received = 0;
  response.on('data', (bytes: Uint8Array) => {
    received += bytes.length;
    if (received > maxBytes) response.destroy(tooLarge(maxBytes));
  });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of decode(response, encoding) as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof FetchProblem)) exchange.assertWhole();
    throw error;
  }
  exchange.assertWhole();
  return Buffer.concat(chunks);
}

function decode(response: IncomingMessage, encoding: string): Readable {
  if (encoding === '' || encoding === 'identity') return response;
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (!decoder)
    throw new FetchProblem(
      'FETCH_FAILED',
      `the response has the unsupported encoding ${JSON.stringify(encoding.slice(0, 60))}`,
    );
  // The reader of the result receives every error.
  return pipeline(response, decoder(), () => {});
}

function tooLarge(maxBytes: number): FetchProblem {
  return new FetchProblem('RESPONSE_TOO_LARGE', `the response is larger than ${maxBytes} bytes`);
}
