import type { IncomingMessage, ServerResponse } from 'node:http';

/** Tracks requests that end by themselves. */
export interface RunningRequests {
  add(request: IncomingMessage, response: ServerResponse): void;
  /** Resolves when no request is running, or after the timeout. */
  end(timeoutMs: number): Promise<void>;
}

/** Creates a tracker of running requests. It ignores listening streams, which only the server ends. */
export function createRunningRequests(): RunningRequests {
  const open = new Set<ServerResponse>();
  let isEnding = false;
  let onIdle: (() => void) | undefined;
  return {
    add(request, response) {
      if (request.method !== 'POST' || request.headers['mcp-method'] === 'subscriptions/listen') return;
      open.add(response);
      // A keep-alive connection would bring further requests.
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
