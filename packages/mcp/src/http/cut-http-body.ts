/** Returns the response with another body. */
export function withBody(response: Response, body: ConstructorParameters<typeof Response>[0]): Response {
  const copy = new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
  Object.defineProperty(copy, 'url', { value: response.url });
  return copy;
}

/** Cuts the body of a response that is read to its end, however long it is. */
export function cutBody(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  let left = maxBytes;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left <= 0) controller.terminate();
    },
  });
  return withBody(response, response.body.pipeThrough(cut));
}
