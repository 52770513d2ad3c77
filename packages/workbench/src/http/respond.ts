/** Headers of every response: nothing is cached, framed, or read by other sites. */
const safeHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Creates a response with the headers that all responses have. */
export function respond(
  status: number,
  type: string,
  body: BodyInit | null,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, { status, headers: { ...safeHeaders, 'content-type': type, ...headers } });
}

/** Creates a JSON response. */
export function respondJson(value: unknown, status = 200): Response {
  return respond(status, 'application/json; charset=utf-8', JSON.stringify(value));
}

/** Creates a response for a request that is refused, with a message that says what was expected. */
export function refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return respond(status, 'application/json; charset=utf-8', JSON.stringify({ error: message }), headers);
}
