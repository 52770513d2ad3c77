import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '@haft/core/options';
import { canonicalJson } from '../client/contract/tool-change.ts';
import type { Transport } from '../protocol/transport.ts';
import type { Recording } from './recording.ts';

/** Options of a replay. */
export interface ReplayOptions {
  /**
   * Returns the part of a message to compare, for example the message without a time. Default: the whole message
   * without its id, progress tokens, and names and versions of client and server.
   */
  readonly normalize?: (message: unknown) => unknown;
}

/** A message that differs from the recorded one. */
export interface ReplayDifference {
  /** Method of the request that was answered. */
  readonly method: string;
  readonly expected: unknown;
  /** Undefined if no answer came. */
  readonly actual: unknown;
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Members of `_meta` that differ between two runs. */
const volatileMeta: ReadonlySet<string> = new Set([
  'progressToken',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/serverInfo',
  'io.modelcontextprotocol/subscriptionId',
]);
/** Members that also differ between two runs, in the parameters and results of these methods. */
const volatileParams: Readonly<Record<string, string>> = {
  initialize: 'clientInfo',
  'notifications/progress': 'progressToken',
  'notifications/cancelled': 'requestId',
};

/** Removes members that differ between two runs of the same session. Arguments and contents stay unchanged. */
function withoutVolatile(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const { id: _id, ...rest } = message;
  const { method, params, result } = rest;
  return {
    ...rest,
    ...(params === undefined ? {} : { params: withoutMember(params, volatileParams[String(method)]) }),
    ...(result === undefined ? {} : { result: withoutMember(result, 'serverInfo') }),
  };
}

function withoutMember(value: unknown, member: string | undefined): unknown {
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => name !== member && name !== '_meta');
  const { _meta: meta } = value;
  const keptMeta = Object.entries(isRecord(meta) ? meta : {}).filter(([name]) => !volatileMeta.has(name));
  return { ...Object.fromEntries(kept), ...(keptMeta.length === 0 ? {} : { _meta: Object.fromEntries(keptMeta) }) };
}

/** A server that answers as recorded. */
export interface ReplayedServer {
  /** For `createConnection`, or any client of the SDK. */
  readonly transport: Transport;
  /** Requests that the recording does not have. They were answered with an error. */
  readonly unknown: readonly { readonly method: string; readonly params: unknown }[];
}

/**
 * Creates a server from a recording, to test a client. Answers each request as the equal request in the recording was
 * answered. Before the answer, sends the notifications and requests that the server had sent. Answers equal requests in
 * recorded order, and repeats the last answer.
 */
export function replayServer(recording: Recording, options: ReplayOptions = {}): ReplayedServer {
  const { normalize = withoutVolatile } = options;
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const unknown: { method: string; params: unknown }[] = [];
  const answers = new Map<string, (readonly Message[])[]>();
  const keyOf = ({ method, params }: Message): string => canonicalJson(normalize({ method, params }));
  const open = new Map<unknown, { readonly key: string; readonly before: Message[] }>();
  for (const { from, message } of recording) {
    const { id, method } = message as Message;
    if (from === 'client' && method !== undefined && id !== undefined)
      open.set(id, { key: keyOf(message as Message), before: [] });
    if (from !== 'server') continue;
    const asked = method === undefined ? open.get(id) : undefined;
    if (asked) {
      open.delete(id);
      const known = answers.get(asked.key);
      const answer = [...asked.before, message as Message];
      if (known) known.push(answer);
      else answers.set(asked.key, [answer]);
    } else if (method !== undefined)
      for (const { before } of [...open.values()].slice(-1)) before.push(message as Message);
  }
  const send = (message: object): void => void serverSide.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  /** Requests of the server that the client has not answered. */
  const waiting = new Map<string | number, () => void>();
  let requests = 0;
  const ask = (message: Message): Promise<void> =>
    new Promise((resolve) => {
      const id = `replayed-${(requests += 1)}`;
      waiting.set(id, resolve);
      send({ ...message, id });
    });
  const answer = async (next: readonly Message[], id: string | number, params: unknown): Promise<void> => {
    for (const message of next)
      if (message.method !== undefined && message.id !== undefined) await ask(message);
      else send(message.method === undefined ? { ...message, id } : withToken(message, params));
  };
  const onmessage = (given: JSONRPCMessage): void => {
    const { id, method, params } = given as Message;
    if (id === undefined) return;
    if (method === undefined) return waiting.get(id)?.();
    const known = answers.get(keyOf({ method, params }));
    const next = known && known.length > 1 ? known.shift() : known?.[0];
    if (next) return void answer(next, id, params);
    unknown.push({ method, params });
    send({ id, error: { code: -32_601, message: `the recording has no such ${method}` } });
  };
  Object.assign(serverSide, { onmessage });
  void serverSide.start();
  return { transport: clientSide, unknown };
}

/** Replaces the progress token with that of the new request. */
function withToken(message: Message, params: unknown): Message {
  const token = isRecord(params) && isRecord(params['_meta']) ? params['_meta']['progressToken'] : undefined;
  if (message.method !== 'notifications/progress' || !isRecord(message.params)) return message;
  return { ...message, params: { ...message.params, progressToken: token } };
}

/**
 * Replays the client of a recording against a server, to test the server: sends the recorded messages in order, waits
 * for each answer, and resolves to the answers that differ. Requests of the server are answered as recorded.
 *
 * @param timeoutMs milliseconds that each answer may take. Default 10,000.
 */
export async function replayClient(
  recording: Recording,
  transport: Transport,
  options: ReplayOptions & { readonly timeoutMs?: number } = {},
): Promise<readonly ReplayDifference[]> {
  const { normalize = withoutVolatile, timeoutMs = 10_000 } = options;
  const differences: ReplayDifference[] = [];
  const waiting = new Map<unknown, (answer: Message | undefined) => void>();
  const asked = recording.flatMap(({ from, message }) =>
    from === 'server' && 'method' in message && 'id' in message ? [message as Message] : [],
  );
  const answersOf = (side: 'client' | 'server'): ReadonlyMap<unknown, Message> =>
    new Map(
      recording
        .filter(({ from, message }) => from === side && !('method' in message))
        .map(({ message }) => [(message as Message).id, message as Message]),
    );
  const [answersOfClient, answersOfServer] = [answersOf('client'), answersOf('server')];
  Object.assign(transport, {
    onmessage: (given: JSONRPCMessage) => {
      const message = given as Message;
      if (message.method === undefined) return waiting.get(message.id)?.(message);
      if (message.id === undefined) return undefined;
      const at = asked.findIndex(({ method }) => method === message.method);
      const recorded = at < 0 ? undefined : answersOfClient.get(asked.splice(at, 1)[0]!.id);
      const unanswered = { error: { code: -32_601, message: 'the recording has no answer to this request' } };
      const answer = { ...(recorded ?? { jsonrpc: '2.0', ...unanswered }), id: message.id };
      return void transport.send(answer as JSONRPCMessage).catch(() => undefined);
    },
    onclose: () => {
      for (const end of waiting.values()) end(undefined);
    },
  });
  await transport.start();
  try {
    for (const { from, message } of recording) {
      const { id, method } = message as Message;
      // Answers to the server's requests are sent when the server makes the requests.
      if (from !== 'client' || method === undefined) continue;
      if (id === undefined) {
        await transport.send(message);
        continue;
      }
      const expected = answersOfServer.get(id);
      const answer = new Promise<Message | undefined>((resolve) => {
        const timer = setTimeout(() => resolve(undefined), timeoutMs);
        waiting.set(id, (given) => {
          clearTimeout(timer);
          resolve(given);
        });
      });
      await transport.send(message);
      // A request that was cancelled, or that is answered at the end of the session, has no recorded answer.
      if (!expected) continue;
      const actual = await answer;
      if (canonicalJson(normalize(expected)) !== canonicalJson(actual === undefined ? null : normalize(actual)))
        differences.push({ method, expected, actual });
    }
  } finally {
    await transport.close();
  }
  return differences;
}
