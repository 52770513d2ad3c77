import { allowAll, createDispatcher, ToolRegistry, type AnyTool } from '@haft/core';
import { createHttpHandler } from '@haft/mcp';
import { onTestFinished } from 'vitest';

/** A server in this process, and the transport of a connection to it. */
export interface ServedTools {
  readonly registry: ToolRegistry;
  readonly reach: { readonly url: string; readonly fetch: typeof fetch };
}

const host = 'served.example';

/** Serves tools over HTTP without a network until the test ends. */
export function serveTools(tools: readonly AnyTool[]): ServedTools {
  const registry = new ToolRegistry({ tools });
  const handler = createHttpHandler(createDispatcher({ registry, permission: allowAll }), {
    hosts: [host],
    name: 'shop',
  });
  onTestFinished(() => handler.close());
  return {
    registry,
    reach: {
      url: `http://${host}/mcp`,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (new URL(request.url).host !== host) throw new Error('no route to host');
        const headers = new Headers(request.headers);
        headers.set('host', host);
        return handler.fetch(new Request(request, { headers }));
      },
    },
  };
}
