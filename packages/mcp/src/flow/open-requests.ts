import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** Tracks the requests of a client that have no response yet. */
export interface OpenRequests {
  /** Records an incoming message. Returns an error response if the request is refused. */
  take(message: Readonly<Record<string, unknown>>): JSONRPCMessage | undefined;
  /** Records an outgoing message. */
  end(message: JSONRPCMessage): void;
}

/** Maximum open requests of one client. */
const maxOpen = 1_000;

/** Creates the tracker of one connection. It refuses requests beyond the limit, and ids that are already in use. */
export function createOpenRequests(): OpenRequests {
  const open = new Set<unknown>();
  const refuse = (id: unknown, code: number, message: string): JSONRPCMessage => ({
    jsonrpc: '2.0',
    id: id as string | number,
    error: { code, message },
  });
  return {
    take({ id, method, params }) {
      if (method === 'notifications/cancelled') {
        open.delete((params as { readonly requestId?: unknown } | null | undefined)?.requestId);
        return undefined;
      }
      if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
      if (open.has(id)) return refuse(id, -32_600, 'a request with this id is still open; use another id');
      if (open.size >= maxOpen) return refuse(id, -32_000, `${maxOpen} requests are open; wait for their answers`);
      open.add(id);
      return undefined;
    },
    end(message) {
      if (!('method' in message)) open.delete(message.id);
    },
  };
}
