import { setTimeout as delay } from 'node:timers/promises';
import {
  ProtocolError,
  type Client,
  type McpSubscription,
  type SubscriptionFilter,
} from '@modelcontextprotocol/client';
import { cleanLine } from '../../untrusted/clean-text.ts';

/** Options of {@link keepListening}. */
export interface ListeningOptions {
  readonly client: Client;
  readonly filter: SubscriptionFilter;
  /** Milliseconds to wait for the server's acknowledgement. */
  readonly timeoutMs: number;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Called when the stream opens again. Changes in the meantime were not delivered. */
  readonly onReopened: () => void;
  /** Called once for each time without a stream, with the reason. */
  readonly onLost: (reason: unknown) => void;
}

/** A stream of changes that is reopened whenever it ends. */
export interface Listening {
  /** Resolves when the first stream is open. Rejects if that fails; further attempts follow. */
  readonly opened: Promise<void>;
  close(): Promise<void>;
}

/** Describes a lost stream for a diagnostic. */
export function describeLostStream(what: string, reason: unknown): string {
  return `the stream of ${what} is not open: ${cleanLine(reason instanceof Error ? reason.message : String(reason), 300)}`;
}

/** A stream that lasted this long was healthy, so its successor is opened soon. */
const healthyMs = 10_000;
const initialBackoffMs = 500;
const maxBackoffMs = 60_000;
const methodNotFound = -32_601;

/**
 * Opens a stream of changes (`subscriptions/listen`, modern era), and reopens it with exponential backoff and full
 * jitter when a proxy, a redeployment or a failure ends it. Stops when the session ends or the server does not know the
 * method.
 */
export function keepListening(options: ListeningOptions): Listening {
  const { client, filter, timeoutMs, random, onReopened, onLost } = options;
  const stopped = new AbortController();
  let resolve = (): void => {};
  let reject = (_reason: unknown): void => {};
  const opened = new Promise<void>((...settle) => ([resolve, reject] = settle));
  // Prevents an unhandled rejection if the caller does not wait for the stream.
  opened.catch(() => undefined);
  let current: McpSubscription | undefined;
  const isOver = (): boolean => stopped.signal.aborted || client.transport === undefined;

  const run = async (): Promise<void> => {
    let wasOpen = false;
    let isReported = false;
    for (let failures = 0; ;) {
      let openedAt = performance.now();
      try {
        current = await client.listen(filter, { timeout: timeoutMs, signal: stopped.signal });
        openedAt = performance.now();
        isReported = false;
        if (wasOpen) onReopened();
        wasOpen = true;
        resolve();
        await current.closed;
        if (isOver()) return;
        onLost('the server ended the stream');
        isReported = true;
        failures = performance.now() - openedAt >= healthyMs ? 0 : failures + 1;
      } catch (error) {
        reject(error);
        if (isOver()) return;
        if (!isReported) onLost(error);
        isReported = true;
        if (error instanceof ProtocolError && error.code === methodNotFound) return;
        // A first stream that opens late may have missed changes, like a reopened one.
        wasOpen = true;
        failures += 1;
      }
      const maxDelay = Math.min(maxBackoffMs, initialBackoffMs * 2 ** Math.max(0, failures - 1));
      await delay(random() * maxDelay, undefined, { ref: false });
      if (isOver()) return;
    }
  };
  void run();

  return {
    opened,
    async close() {
      stopped.abort();
      await current?.close().catch(() => undefined);
    },
  };
}
