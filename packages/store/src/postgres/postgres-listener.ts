import type { Connector, Listening } from './postgres-connector.ts';

/** A subscription to notifications of the server. */
export interface Listener {
  stop(): Promise<void>;
}

const minPauseMs = 50;
const maxPauseMs = 2_000;
/** Interval of checks on the connection, because a connection can break without notice. */
const heartbeatMs = 10_000;

/**
 * Calls `wake` with the payload of every notification on a channel, and without one whenever notifications may have been missed: after a reconnect
 * and with every heartbeat. Rejects if the first connection fails; later ones are retried forever.
 */
export async function startListener(
  connector: Connector,
  channel: string,
  wake: (payload?: string) => void,
): Promise<Listener> {
  let current: Listening | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const connect = async (): Promise<void> => {
    const connected = await connector.listen(channel);
    if (isStopped) return connected.end();
    current = connected;
    const lose = (): void => {
      if (current !== connected) return;
      current = undefined;
      clearTimeout(timer);
      connected.drop();
      reconnect(minPauseMs);
    };
    connected.client.on('notification', ({ payload }) => wake(payload ?? ''));
    connected.client.on('error', lose);
    connected.client.on('end', lose);
    beat(connected, lose);
  };

  const beat = (connected: Listening, lose: () => void): void => {
    timer = setTimeout(() => {
      wake();
      connected.client.query('select 1').then(() => (current === connected ? beat(connected, lose) : undefined), lose);
    }, heartbeatMs).unref();
  };

  const reconnect = (pauseMs: number): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      connect().then(
        () => wake(),
        () => {
          // The reader that this wakes reports that the server is not reachable.
          wake();
          reconnect(Math.min(pauseMs * 2, maxPauseMs));
        },
      );
    }, pauseMs).unref();
  };

  await connect();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      const ending = current;
      current = undefined;
      await ending?.end().catch(() => undefined);
    },
  };
}
