import type { TerminalDevice } from '../permission/terminal-device.ts';
import type { Terminal } from './terminal.ts';

/** One option of a command, as `--help` shows it. */
export interface CommandOption {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  /** What stands for the value in `--help`, such as `DIR`; only for strings. */
  readonly value?: string;
  readonly description: string;
}

/** Options by name, without the dashes. */
export type OptionTable = Readonly<Record<string, CommandOption>>;

/** What a command is given when it runs. */
export interface Invocation {
  readonly positionals: readonly string[];
  /** Whether a boolean option was given. */
  flag(name: string): boolean;
  /** The value of a string option. */
  value(name: string): string | undefined;
  /** Absolute folder that the command works in. */
  readonly cwd: string;
  readonly terminal: Terminal;
  /** The terminal a person sits at, opened when it is first asked for; `undefined` where there is none. */
  device(): TerminalDevice | undefined;
  /** Aborts on Ctrl-C and when the process is asked to end. */
  readonly signal: AbortSignal;
  /** Lets a command answer Ctrl-C itself while something can be stopped; returns how to give it back. */
  onInterrupt(handler: () => void): () => void;
}

/** One thing the program does. Each lives in its own file and stands in the one list of commands. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What follows the name, such as `[FILE|-]`. */
  readonly operands?: string;
  readonly maximumOperands: number;
  readonly options: OptionTable;
  /** Further lines for the command's own `--help`: examples, exit codes. */
  readonly notes?: readonly string[];
  /** Does it and answers the exit code; throws a `UsageError` for what the person can put right. */
  run(invocation: Invocation): Promise<number>;
}
