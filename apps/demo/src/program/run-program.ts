import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { commands } from '../commands/list.ts';
import { tour } from '../commands/tour.ts';
import { configurableOptions } from '../configuration/configuration-schema.ts';
import { configurationFile, readConfiguration } from '../configuration/read-configuration.ts';
import { openTerminalDevice, type TerminalDevice } from '../permission/terminal-device.ts';
import type { Invocation } from './command.ts';
import { describeCommand, describeProgram } from './help.ts';
import { listenForInterruption } from './interruption.ts';
import { packageVersion } from './package-version.ts';
import { parseCommandLine, type CommandLine } from './parse-command-line.ts';
import { createTerminal, type ProcessTerminal, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Runs the command line and returns the exit code. Every error is one line on standard error. */
export async function runProgram(
  argv: readonly string[],
  source: NodeJS.Process,
  openDevice: () => TerminalDevice | undefined = openTerminalDevice,
): Promise<number> {
  const terminal = createTerminal(source.stdout, source.stderr);
  const complain = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error);
    terminal.note(`haft: ${message.split('\n', 1)[0]}`);
  };
  let isShaken = false;
  // An unhandled error (of a plugin's timer, for example) is printed in one line; the program continues and ends with
  // an error code.
  source.on('uncaughtException', (error) => {
    isShaken = true;
    complain(error);
  });
  try {
    const code = await carryOut(await parseCommandLine(argv, commands, tour), terminal, source, openDevice);
    return code === 0 && isShaken ? 1 : code;
  } catch (error) {
    complain(error);
    return error instanceof UsageError ? 2 : 1;
  } finally {
    await terminal.flush();
  }
}

async function carryOut(
  line: CommandLine,
  terminal: ProcessTerminal,
  source: NodeJS.Process,
  openDevice: () => TerminalDevice | undefined,
): Promise<number> {
  if (line.flags.has('version')) return answer(terminal, `haft ${packageVersion()}\n`);
  if (line.flags.has('help')) {
    return answer(
      terminal,
      line.command ? describeCommand(line.command, terminal.columns) : describeProgram(commands, terminal.columns),
    );
  }
  const cwd = workingDirectory(line.values.get('cwd'), source);
  const { flags, values, configured } = await applyConfiguration(line, cwd, (text) => terminal.note(`haft: ${text}`));
  const interruption = listenForInterruption(source);
  let device: { readonly opened: TerminalDevice | undefined } | undefined;
  const openOnce = (): TerminalDevice | undefined => {
    const opened = openDevice();
    if (opened) terminal.printNotesWith((print) => opened.printAbove(print));
    return opened;
  };
  const invocation: Invocation = {
    positionals: line.positionals,
    flag: (name) => flags.has(name),
    value: (name) => values.get(name),
    cwd,
    terminal,
    device: () => (device ??= { opened: openOnce() }).opened,
    signal: interruption.signal,
    onInterrupt: (handler) => interruption.onInterrupt(handler),
  };
  try {
    const code = await (line.command ?? tour).run(invocation);
    return interruption.exitCode() ?? code;
  } catch (error) {
    throw nameFile(error, line.values.get('config') ?? configurationFile, configured);
  } finally {
    device?.opened?.close();
  }
}

/** Adds those options of the configuration that the command accepts and the command line does not set. */
async function applyConfiguration(
  { command = tour, flags, values }: CommandLine,
  cwd: string,
  note: (text: string) => void,
): Promise<Pick<CommandLine, 'flags' | 'values'> & { readonly configured: readonly string[] }> {
  const all = configurableOptions(commands);
  const read = [...(await readConfiguration(cwd, values.get('config'), all, note))];
  const added = read.filter(([name]) => Object.hasOwn(command.options, name) && !values.has(name));
  return {
    configured: added.map(([name]) => name),
    flags: new Set([...flags, ...added.flatMap(([name, value]) => (value === true ? [name] : []))]),
    values: new Map([
      ...values,
      ...added.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
    ]),
  };
}

/** Names the file instead of the command line in a complaint about an option that the file sets. */
function nameFile(error: unknown, file: string, configured: readonly string[]): unknown {
  if (!(error instanceof UsageError)) return error;
  const name = configured.find((one) => error.message.startsWith(`--${one} `) || error.message.startsWith(`--${one}:`));
  return name === undefined ? error : new UsageError(`${file}: ${error.message.slice('--'.length)}`);
}

function answer(terminal: Terminal, text: string): number {
  terminal.write(text);
  return 0;
}

function workingDirectory(given: string | undefined, source: NodeJS.Process): string {
  if (given === undefined) return source.cwd();
  const folder = resolve(source.cwd(), given);
  if (!isDirectory(folder)) throw new UsageError(`--cwd ${given}: no such folder`);
  return folder;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
