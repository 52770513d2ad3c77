import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** Parameters or result of a method of the DevTools protocol. */
export type Parameters = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Parameters;
  readonly result?: Parameters;
  readonly error?: { readonly message: string };
}

type EventListener = (method: string, parameters: Parameters) => void;

/** A connection to a browser that speaks the DevTools protocol. */
export interface Connection {
  send(method: string, parameters?: Parameters, sessionId?: string): Promise<Parameters>;
  /** Listens to every event of a session; returns a function that stops listening. */
  listen(sessionId: string, listener: EventListener): () => void;
}

/** Connects to a browser over its pipes 3 and 4. Messages are JSON, each terminated by NUL. */
export function connectTo(child: ChildProcess): Connection {
  const [, , , input, output] = child.stdio as unknown as readonly [null, null, null, Writable, Readable];
  const waiting = new Map<number, { resolve(value: Parameters): void; reject(error: Error): void }>();
  const listeners = new Map<EventListener, string>();
  let last = 0;
  let rest = '';
  const fail = (error: Error): void => {
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  input.on('error', fail);
  child.once('error', fail);
  child.once('close', () => fail(new Error('the browser has ended')));
  output.setEncoding('utf8').on('data', (text: string) => {
    const messages = `${rest}${text}`.split('\0');
    rest = messages.pop() ?? '';
    for (const written of messages) receive(JSON.parse(written) as Message);
  });
  const receive = ({ id, method, sessionId, params, result, error }: Message): void => {
    if (id === undefined) {
      for (const [listener, session] of listeners) if (session === sessionId) listener(method ?? '', params ?? {});
      return;
    }
    const answered = waiting.get(id);
    waiting.delete(id);
    if (error) answered?.reject(new Error(error.message));
    else answered?.resolve(result ?? {});
  };
  return {
    send: (method, parameters = {}, sessionId) =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        const session = sessionId === undefined ? {} : { sessionId };
        input.write(`${JSON.stringify({ id: last, method, params: parameters, ...session })}\0`);
      }),
    listen: (sessionId, listener) => {
      listeners.set(listener, sessionId);
      return () => void listeners.delete(listener);
    },
  };
}
