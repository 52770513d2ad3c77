import type { TerminalDevice } from '../permission/terminal-device.ts';
import type { Terminal } from './terminal.ts';

/** One option of a command, as `--help` shows it. */
export interface CommandOption {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  /** Placeholder of the value in `--help`, such as `DIR`. Only for strings. */
  readonly value?: string;
  readonly description: string;
}

/** Options by name, without the dashes. */
export type OptionTable = Readonly<Record<string, CommandOption>>;

/** Input of a running command. */
export interface Invocation {
  readonly positionals: readonly string[];
  /** Whether a boolean option was given. */
  flag(name: string): boolean;
  /** The value of a string option. */
  value(name: string): string | undefined;
  /** Absolute working folder of the command. */
  readonly cwd: string;
  readonly terminal: Terminal;
  /** The user's terminal, opened on first use; `undefined` without a terminal. */
  device(): TerminalDevice | undefined;
  /** Aborts on Ctrl-C and when the process is asked to end. */
  readonly signal: AbortSignal;
  /** Handles Ctrl-C in the command while something can be stopped. Returns a function that removes the handler. */
  onInterrupt(handler: () => void): () => void;
}

/** A command of the program. Each has its own file and an entry in the list of commands. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Operands in `--help`, such as `[FILE|-]`. */
  readonly operands?: string;
  readonly maximumOperands: number;
  readonly options: OptionTable;
  /** Further lines of the command's `--help`: examples, exit codes. */
  readonly notes?: readonly string[];
  /** Runs the command and returns the exit code. Throws a `UsageError` for mistakes of the user. */
  run(invocation: Invocation): Promise<number>;
}
