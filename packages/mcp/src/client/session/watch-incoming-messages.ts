import type { Client, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Report } from '../../connection-diagnostic.ts';
import { failedResponse, findResponseFaults } from '../../protocol/response-faults.ts';
import { cancelUnclaimedTask } from '../../tasks/follow-task.ts';
import { announceTaskStatus } from '../../tasks/task-status.ts';
import { dropInvalidParts } from './drop-invalid-response-parts.ts';
import type { tapMessages } from './tap-messages.ts';

/** Receives incoming data other than responses. */
export interface SessionListener {
  readonly report: Report;
  onToolsChanged(): void;
  /** Called with every other notification, unchanged. */
  onNotification(method: string, params: unknown): void;
}

/** Required members of some results, for servers that omit them. */
const uncached = { ttlMs: 0, cacheScope: 'private' } as const;

/** Replaces a response that breaks the protocol, so that its request fails at once. */
function failMalformed(message: JSONRPCMessage): JSONRPCMessage {
  const [found] = findResponseFaults(message);
  return found ? failedResponse(...found) : message;
}

/** Notifications that the SDK handles. */
const handledBySdk: ReadonlySet<string> = new Set([
  'notifications/progress',
  'notifications/cancelled',
  'notifications/subscriptions/acknowledged',
]);

/** Intercepts `onmessage`, however often it is assigned. The transport stays the object that the SDK knows. */
export function watchIncoming(
  transport: Transport,
  listener: SessionListener,
  client: Client,
  onReceived: ReturnType<typeof tapMessages>,
): Transport {
  let inner: Transport['onmessage'];
  const inspect: NonNullable<Transport['onmessage']> = (message, extra) => {
    onReceived?.(message);
    const { method, id, params } = message as {
      readonly method?: unknown;
      readonly id?: unknown;
      readonly params?: unknown;
    };
    if (typeof method === 'string' && id === undefined && !handledBySdk.has(method)) {
      if (method === 'notifications/tools/list_changed') listener.onToolsChanged();
      else if (method === 'notifications/tasks/status') announceTaskStatus(client, params);
      // Not passed to the SDK, because a server may send floods of notifications.
      else listener.onNotification(method, params);
      return;
    }
    const sound = failMalformed(message);
    const good = dropInvalidParts(sound, listener.report) as typeof message;
    // The SDK dispatches notifications later than responses. Responses are delayed, so that the last progress is not
    // lost.
    if ('result' in good) {
      cancelUnclaimedTask(client, good.result);
      const { resultType } = (good.result ?? {}) as { readonly resultType?: unknown };
      const isModern = client.getProtocolEra() === 'modern' || 'supportedVersions' in (good.result ?? {});
      const typed =
        isModern && (resultType === undefined || resultType === 'complete')
          ? { ...good, result: { resultType: 'complete', ...uncached, ...good.result } }
          : good;
      queueMicrotask(() => inner?.(typed, extra));
    } else if ('error' in good) queueMicrotask(() => inner?.(good, extra));
    else inner?.(good, extra);
  };
  // The transport may intercept `onmessage` in the same way. Its own accessor is still called.
  const own = Object.getOwnPropertyDescriptor(transport, 'onmessage');
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: (): Transport['onmessage'] =>
      inner === undefined ? undefined : own?.get ? (own.get() as Transport['onmessage']) : inspect,
    set: (handler: Transport['onmessage']) => {
      if (handler !== undefined && handler === transport.onmessage) return;
      inner = handler;
      own?.set?.(handler && inspect);
    },
  });
  return transport;
}
