import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Connection } from './contract/connection.ts';

let isDone = false;

/**
 * Connects to a server in this process with one tool, once per process, while the first server process starts. The SDK
 * builds its schemas at their first use. They are then ready when the server answers, as is the code for its list of
 * tools. Does nothing on later calls. Errors are ignored.
 */
export function warmUp(connect: (transport: Transport) => Promise<Connection>): void {
  if (isDone) return;
  isDone = true;
  // Not before the process is started, nor before it is sent the first message.
  setImmediate(() => {
    connect(createSampleServer())
      .then((connection) => connection.close())
      .catch(() => undefined);
  });
}

const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const inputSchema = { type: 'object', properties: { text: { type: 'string', description: 'Any text.' } } };
const results: Readonly<Record<string, object>> = {
  'server/discover': {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    serverInfo: { name: 'sample', version: '1.0.0' },
  },
  'tools/list': { tools: [{ name: 'sample', description: 'A tool.', inputSchema }] },
};

/** Creates a server of revision 2026-07-28 with one tool that can be listed. It answers nothing else. */
export function createSampleServer(): Transport {
  const transport: Transport = {
    start: () => Promise.resolve(),
    send(message) {
      const { id, method } = message as { readonly id?: string | number; readonly method?: string };
      const result = results[method ?? ''];
      if (id === undefined || !result) return Promise.resolve();
      const response = { jsonrpc: '2.0', id, result: { ...complete, ...result } } satisfies JSONRPCMessage;
      queueMicrotask(() => transport.onmessage?.(response));
      return Promise.resolve();
    },
    close() {
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}
