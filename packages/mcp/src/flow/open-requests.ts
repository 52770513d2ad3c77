import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** Requests of a client that wait for their answers. */
export interface OpenRequests {
  /** Notes a message that came in. Returns the answer of a request that is refused. */
  take(message: Readonly<Record<string, unknown>>): JSONRPCMessage | undefined;
  /** Notes a message that goes out. */
  end(message: JSONRPCMessage): void;
}

/** Requests of one client at once. */
const maxOpen = 1_000;

/** Makes the count of one connection. A request beyond the limit, or with the id of one that is open, is refused. */
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
      if (open.has(id)) return refuse(id, -32_600, 'a request with this id is open; use another id');
      if (open.size >= maxOpen) return refuse(id, -32_000, `${maxOpen} requests are open; wait for their answers`);
      open.add(id);
      return undefined;
    },
    end(message) {
      if (!('method' in message)) open.delete(message.id);
    },
  };
}
