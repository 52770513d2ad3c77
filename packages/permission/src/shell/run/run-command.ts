import type { RunWord } from './run-word.ts';
import type { ShellCommand } from '../parse/shell-word.ts';

/** A command that a line runs, directly or through others. */
export interface RunCommand {
  /** Lower-case name without its folder: `RM` and `/bin/rm` are `rm`. */
  readonly program: string;
  /** The name as written, quotes and escapes aside. */
  readonly written: string;
  /** Nothing in the name is left open. */
  readonly isNamed: boolean;
  /** It is a command of the line, not what a wrapper may run. */
  readonly isDirect: boolean;
  readonly args: readonly RunWord[];
  readonly command: ShellCommand;
  /** Commands joined by `|` share one number, unique in the line. */
  readonly pipeline: number;
}

/** A redirection with its target as the shell takes it. */
export interface RunRedirection {
  readonly operator: string;
  readonly target: RunWord;
}

/** Everything a command line runs, as far as its text tells. */
export interface ExpandedShell {
  /** False when something could not be taken apart, or was too much. */
  readonly isWhole: boolean;
  readonly commands: readonly RunCommand[];
  readonly redirections: readonly RunRedirection[];
  /** Values that are assigned before commands and in lines of their own, by name, as written. */
  readonly assigned: ReadonlyMap<string, readonly string[]>;
  /** Some text that is run as a line is not known. */
  readonly runsUnknownText: boolean;
  /** A group of commands reads or prints what goes through a pipe or comes from a file. */
  readonly feedsGroup: boolean;
  /** What can't be told of texts that Bash evaluates, for people. */
  readonly evaluationUncertainties: ReadonlySet<string>;
}
