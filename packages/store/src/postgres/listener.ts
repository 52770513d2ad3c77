import type { Connector, Listening } from './connect.ts';

/** Notifications of the server, for as long as they are wanted. */
export interface Listener {
  stop(): Promise<void>;
}

const firstPauseMs = 50;
const longestPauseMs = 2_000;
/** A connection can be dead without either side being told; so it is asked now and then. */
const heartbeatMs = 10_000;

/**
 * Calls `wake` for every notification on a channel, and whenever some may have been missed: after the connection was
 * made anew, and with every heartbeat. Rejects when the first connection can't be made; later ones are tried for ever.
 */
export async function startListener(connector: Connector, channel: string, wake: () => void): Promise<Listener> {
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
      reconnect(firstPauseMs);
    };
    connected.client.on('notification', wake);
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
      connect().then(wake, () => {
        // Whoever is woken finds out that the server is away, and reports it.
        wake();
        reconnect(Math.min(pauseMs * 2, longestPauseMs));
      });
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
