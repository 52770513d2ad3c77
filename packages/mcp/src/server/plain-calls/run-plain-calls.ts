import type { Server } from '@modelcontextprotocol/server';
import type { ServedSource } from '../served/served-source.ts';
import { contextOf, errorOf, responseOf, type Notify, type PlainCall } from './plain-call.ts';

/** Where a call comes from. */
export interface CallOrigin {
  /** Present for a call over HTTP. */
  readonly http?: object;
  readonly sessionId?: string;
  /** Sender of a request over HTTP. */
  readonly address?: string;
  /** The server of the connection. */
  readonly server?: Server;
}

/** Runs plain calls. */
export interface PlainCalls {
  readonly isClosed: boolean;
  /**
   * Runs a call and passes its response to `respond`. Never rejects.
   *
   * @param client aborts when the client cancels the call or disconnects.
   */
  run(
    call: PlainCall,
    origin: CallOrigin,
    client: AbortSignal,
    notify: Notify,
    respond: (message: object) => void,
  ): Promise<void>;
  /** Cancels running calls, and refuses further ones. */
  close(): void;
}

/** Creates the runner of a server's plain calls. */
export function createPlainCalls(served: ServedSource): PlainCalls {
  const running = new Set<AbortController>();
  let isClosed = false;
  return {
    get isClosed() {
      return isClosed;
    },
    async run(call, { address = '', server, ...where }, client, notify, respond) {
      const controller = new AbortController();
      const abort = (): void => controller.abort(client.reason);
      client.addEventListener('abort', abort, { once: true });
      if (client.aborted) abort();
      running.add(controller);
      let message: object;
      try {
        const context = contextOf(call, controller.signal, notify, where);
        const answer = await served.callTool(call.params, context, address, server);
        message = responseOf(call, answer, served.identity);
      } catch (error) {
        message = errorOf(call.id, error);
      }
      running.delete(controller);
      client.removeEventListener('abort', abort);
      respond(message);
    },
    close() {
      isClosed = true;
      for (const controller of running) controller.abort();
    },
  };
}
