import { readToken } from './token.ts';

/** Built files are in a folder of the page. The URL of the page may lack the slash at its end. */
const base = import.meta.url.replace(/(?:assets|src\/data)\/[^/]*$/, '');

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
  const response = await ask(path, init).catch(() => {
    throw new RequestError(0, 'The program does not answer. It may have ended.');
  });
  if (response.ok) return (await response.json()) as Value;
  const { error } = (await response.json().catch(() => ({}))) as { readonly error?: string };
  throw new RequestError(response.status, error ?? `The program answered with status ${response.status}.`);
}

/** Sends a request for data, with the token. */
export function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${readToken()}`);
  return fetch(`${base}api/${path}`, { ...init, headers });
}
