import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkOptions, integerKind, nonEmptyStringKind, type OptionTable } from '@haft/core/options';
import { WorkbenchError } from '../workbench-error.ts';
import type { Workbench } from './create-workbench.ts';
import { createNodeHandler } from './node-handler.ts';

/** Options of {@link serveWorkbench}. */
export interface ServeWorkbenchOptions {
  /** Port; default any free port. */
  readonly port?: number;
  /** Address to listen on; default `127.0.0.1`. Other addresses admit other machines that have the token. */
  readonly host?: string;
}

/** A workbench that is served. */
export interface ServedWorkbench {
  /** URL to open. Its fragment holds the token, so do not share it. */
  readonly url: string;
  /** Stops serving, and closes the workbench. */
  close(): Promise<void>;
}

const table: OptionTable<ServeWorkbenchOptions> = {
  port: integerKind({ min: 0, max: 65_535 }),
  host: nonEmptyStringKind,
};

/**
 * Serves a workbench over HTTP on this machine.
 *
 * @throws HaftError `INVALID_OPTION`; WorkbenchError `PORT_UNAVAILABLE`.
 */
export async function serveWorkbench(
  workbench: Workbench,
  options: ServeWorkbenchOptions = {},
): Promise<ServedWorkbench> {
  checkOptions('serveWorkbench', options, table, '{ port: 4000 }');
  const { port = 0, host = '127.0.0.1' } = options;
  const server = createServer(createNodeHandler(workbench));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'it is in use' : cause.message;
      reject(new WorkbenchError('PORT_UNAVAILABLE', `port ${port}: ${reason}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return {
    url: `http://${name}:${bound.port}/#token=${workbench.token}`,
    async close() {
      workbench.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
