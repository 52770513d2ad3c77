import type { JailCommand } from '../contract/jail.ts';

/** Where programs in a jail find the proxy. */
const port = 3_128;
const proxy = `http://127.0.0.1:${port}`;

/**
 * What a jail's own Node runs: it takes connections on the jail's loopback to the socket of the proxy outside, says so, lets go of what
 * it was given, and stays until the jail ends. Nothing depends on its good will: there is no other way out.
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

/** The forwarder as a command, for a network that commands share. */
export function forwarderOf(node: string, socketPath: string): JailCommand {
  return { file: node, args: ['-e', program, socketPath], cwd: '/' };
}

/** The command with a forwarder of its own beside it, which is no child of it. */
export function withForwarder(command: JailCommand, node: string, socketPath: string): JailCommand {
  const script =
    'forwarder=$1; code=$2; way=$3; shift 3; ' +
    'ready=$("$forwarder" -e "$code" "$way" </dev/null 2>/dev/null 3>&- &) ; ' +
    '[ "$ready" = ready ] || { echo "the way to the network could not be opened" >&2; exit 126; }; ' +
    'exec "$@"';
  return {
    ...command,
    file: '/bin/sh',
    args: ['-c', script, 'sh', node, program, socketPath, command.file, ...command.args],
  };
}

/** Tells programs of the proxy, each in its own spelling. */
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
