import type { IncomingMessage, ServerResponse } from 'node:http';

/** Requests that are under way and will end by themselves. */
export interface RunningRequests {
  add(request: IncomingMessage, response: ServerResponse): void;
  /** Resolves when none is under way any more, or after so many milliseconds. */
  end(timeoutMs: number): Promise<void>;
}

/** Makes a count of requests; streams on which clients only listen are not among them, since nobody ends those but the server. */
export function createRunningRequests(): RunningRequests {
  const open = new Set<ServerResponse>();
  let isEnding = false;
  let onIdle: (() => void) | undefined;
  return {
    add(request, response) {
      if (request.method !== 'POST' || request.headers['mcp-method'] === 'subscriptions/listen') return;
      open.add(response);
      // A connection that is kept would bring further requests.
      if (isEnding) response.setHeader('connection', 'close');
      response.once('close', () => {
        open.delete(response);
        if (open.size === 0) onIdle?.();
      });
    },
    async end(timeoutMs) {
      isEnding = true;
      for (const response of open) if (!response.headersSent) response.setHeader('connection', 'close');
      if (open.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
