import { createConnection, type Connection, type ConnectionEvent, type ConnectionOptions } from '@haft/mcp';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';

import type { AttackGround } from '../../attack.ts';

/** Results of methods, by their names; `{ error }` is an error of the protocol. */
export type Answers = Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => object>>;

/** A connection to a server that answers by hand. */
export interface HostileConnection {
  readonly connection: Connection;
  readonly events: readonly ConnectionEvent[];
  /** Sends the client an unrequested message. */
  readonly notify: (method: string, params: object) => void;
}

/** Connects to a server in this process that sends arbitrary messages. */
export async function connectHostile(
  ground: AttackGround,
  answers: Answers,
  options: ConnectionOptions = {},
): Promise<HostileConnection> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const events: ConnectionEvent[] = [];
  const usual: Answers = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: 'hostile', version: '1' },
    }),
    'tools/list': () => ({ tools: [{ name: 'act', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [] }),
  };
  const send = (message: object): void =>
    void serverSide.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage).catch(() => undefined);
  const onmessage = (message: JSONRPCMessage): void => {
    const { id, method, params } = message as {
      readonly id?: number;
      readonly method?: string;
      readonly params?: Readonly<Record<string, unknown>>;
    };
    if (id === undefined || method === undefined) return;
    const said = (answers[method] ?? usual[method])?.(params ?? {}) ?? { error: { code: -32_601, message: 'unknown' } };
    send('error' in said ? { id, error: said.error } : { id, result: said });
  };
  Object.assign(serverSide, { onmessage });
  await serverSide.start();
  const connection = await createConnection({
    name: 'hostile',
    transport: clientSide,
    onEvent: (event) => events.push(event),
    ...options,
  });
  ground.onEnd(() => connection.close());
  return { connection, events, notify: (method, params) => send({ method, params }) };
}
