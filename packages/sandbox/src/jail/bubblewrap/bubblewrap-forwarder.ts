import type { JailCommand } from '../contract/jail.ts';

/** The address of the proxy inside a jail. */
const port = 3_128;
const proxy = `http://127.0.0.1:${port}`;

/**
 * A Node program inside the jail: forwards connections from the jail's loopback to the socket of the proxy outside,
 * reports that it is ready, closes its output and runs until the jail ends. Security does not depend on it, because
 * there is no other network access.
 */
const program = `
const { createServer, connect } = require('node:net');
const { closeSync, openSync, writeSync } = require('node:fs');
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {});
createServer({ allowHalfOpen: true }, (client) => {
  const way = connect({ path: process.argv[1], allowHalfOpen: true });
  const end = () => { client.destroy(); way.destroy(); };
  client.on('error', end).on('close', end).pipe(way);
  way.on('error', end).on('close', end).pipe(client);
}).listen(${port}, '127.0.0.1', () => {
  writeSync(1, 'ready');
  closeSync(1);
  openSync('/dev/null', 'w');
});
`;

/** Returns the forwarder as a command, for a network that several commands share. */
export function createForwarder(node: string, socketPath: string): JailCommand {
  return { file: node, args: ['-e', program, socketPath], cwd: '/' };
}

/** Returns the command with its own forwarder, which is not a child of the command. */
export function withForwarder(command: JailCommand, node: string, socketPath: string): JailCommand {
  const script =
    'forwarder=$1; code=$2; way=$3; shift 3; ' +
    'ready=$("$forwarder" -e "$code" "$way" </dev/null 2>/dev/null 3>&- &) ; ' +
    '[ "$ready" = ready ] || { echo "the connection to the proxy could not be opened" >&2; exit 126; }; ' +
    'exec "$@"';
  return {
    ...command,
    file: '/bin/sh',
    args: ['-c', script, 'sh', node, program, socketPath, command.file, ...command.args],
  };
}

/** Proxy variables in the spellings of various programs. */
export const proxyEnvironment: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [
      [name, proxy],
      [name.toUpperCase(), proxy],
    ]),
  ),
  no_proxy: '127.0.0.1,localhost',
  NO_PROXY: '127.0.0.1,localhost',
  NODE_USE_ENV_PROXY: '1',
};
