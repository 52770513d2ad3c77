/** Maximum size of a request body, in bytes. */
export const maxBodyBytes = 4_000_000;

/** The body of a request as JSON, or why it can't be read. */
export type ReadBody =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly status: number; readonly message: string };

/** Reads the body of a request, and stops at the limit. */
export async function readBody(request: Request): Promise<ReadBody> {
  if (!/^application\/json\b/.test(request.headers.get('content-type') ?? ''))
    return { ok: false, status: 415, message: 'content-type: expected application/json' };
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body !== null) {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBodyBytes)
        return { ok: false, status: 413, message: `body: too large (expected at most ${maxBodyBytes} bytes)` };
      chunks.push(chunk);
    }
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ok: true, value: value as Readonly<Record<string, unknown>> };
  } catch {
    // The message below says what was expected.
  }
  return { ok: false, status: 400, message: 'body: not readable (expected a JSON object)' };
}
