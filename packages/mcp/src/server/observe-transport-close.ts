import type { Transport } from '@modelcontextprotocol/server';

/** Wraps a transport and exposes a promise for its close. */
export function observeClose(inner: Transport): { readonly transport: Transport; readonly closed: Promise<void> } {
  let resolveClosed: () => void;
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve));
  const transport: Transport = {
    start() {
      const callbacks: Pick<Transport, 'onmessage' | 'onerror' | 'onclose'> = {
        onmessage: (message, extra) => transport.onmessage?.(message, extra),
        onerror: (error) => transport.onerror?.(error),
        onclose: () => {
          transport.onclose?.();
          resolveClosed();
        },
      };
      Object.assign(inner, callbacks);
      return inner.start();
    },
    send: (message, options) => inner.send(message, options),
    async close() {
      await inner.close();
      resolveClosed();
    },
  };
  return { transport, closed };
}
