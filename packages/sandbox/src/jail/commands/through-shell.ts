import type { JailCommand } from '../contract/jail.ts';

/**
 * The command by way of a shell that runs a line first, and then becomes the command.
 *
 * @param line ends with `; `, or is empty.
 * @param redirection what the command gets besides, such as ` 2>&1`.
 */
export function throughShell(line: string, command: JailCommand, redirection = ''): JailCommand {
  const script = `${line}exec "$0" "$@"${redirection}`;
  return { ...command, file: '/bin/sh', args: ['-c', script, command.file, ...command.args], isShellLine: true };
}

/**
 * The command with its standard error joined to its standard output. Two pipes lose the order of what is written to them; a shell
 * that joins the streams and then becomes the program keeps it. One that is there for something else anyway does that as well.
 */
export function joinStreams(command: JailCommand): JailCommand {
  const [option = '', line = '', ...words] = command.args;
  return command.isShellLine === true
    ? { ...command, args: [option, `exec 2>&1; ${line}`, ...words] }
    : throughShell('', command, ' 2>&1');
}
