import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Worker } from '@haft/jobs';

import { UsageError } from '../program/usage-error.ts';

/** Where probes are answered. */
export interface HealthAddress {
  readonly host: string;
  readonly port: number;
}

/** Parses `PORT` or `HOST:PORT`. Without a host, only this machine can ask. @throws UsageError */
export function parseHealthAddress(given: string): HealthAddress {
  const [, host = '127.0.0.1', port = ''] = /^(?:([^\s/]+):)?(\d{1,5})$/.exec(given) ?? [];
  if (port === '' || Number(port) > 65_535)
    throw new UsageError(`--health ${given}: expected a port such as 8080, or a host and a port such as 0.0.0.0:8080`);
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

/** Answers probes about a worker. */
export interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Answers `GET /live` with 200 while the process responds, and `GET /ready` with 200 while the worker takes jobs, otherwise
 * with 503.
 */
export async function serveHealth(
  worker: Pick<Worker, 'health'>,
  { host, port }: HealthAddress,
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const isKnown = request.method === 'GET' && (request.url === '/live' || request.url === '/ready');
    const health = worker.health();
    const status = !isKnown ? 404 : request.url === '/live' || health.state === 'ready' ? 200 : 503;
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(isKnown ? JSON.stringify(health) : '{"error":"expected GET /live or GET /ready"}');
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
