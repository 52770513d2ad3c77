import type { JailCommand } from '../contract/jail.ts';

/**
 * Returns a command that runs a shell line first and then replaces the shell with the original command.
 *
 * @param line - ends with `; `, or is empty.
 * @param redirection - an additional redirection, for example ` 2>&1`.
 */
export function throughShell(line: string, command: JailCommand, redirection = ''): JailCommand {
  const script = `${line}exec "$0" "$@"${redirection}`;
  return { ...command, file: '/bin/sh', args: ['-c', script, command.file, ...command.args], isShellLine: true };
}

/**
 * Returns a command that joins standard error to standard output. Two pipes would lose the order of writes; a shell
 * that joins the streams and then replaces itself preserves it. A shell that is already used is reused.
 */
export function joinStreams(command: JailCommand): JailCommand {
  const [option = '', line = '', ...parameters] = command.args;
  return command.isShellLine === true
    ? { ...command, args: [option, `exec 2>&1; ${line}`, ...parameters] }
    : throughShell('', command, ' 2>&1');
}
