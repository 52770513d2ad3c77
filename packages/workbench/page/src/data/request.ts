import { readToken } from './token.ts';

/** A request that failed, with the sentence of the server. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Reads data of the program. */
export function read<Value>(path: string): Promise<Value> {
  return request<Value>(path, {});
}

/** Sends an action to the program. */
export function send<Value = unknown>(path: string, body: object): Promise<Value> {
  return request<Value>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function request<Value>(path: string, init: RequestInit): Promise<Value> {
  const response = await fetch(`api/${path}`, withToken(init)).catch(() => {
    throw new RequestError(0, 'The program does not answer. It may have ended.');
  });
  if (response.ok) return (await response.json()) as Value;
  const { error } = (await response.json().catch(() => ({}))) as { readonly error?: string };
  throw new RequestError(response.status, error ?? `The program answered with status ${response.status}.`);
}

/** Adds the token to a request. */
export function withToken(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${readToken()}`);
  return { ...init, headers };
}
