import type { RunWord } from './run-word.ts';
import type { ShellCommand } from '../syntax/shell-word.ts';

/** A command that a line runs, directly or through another command. */
export interface RunCommand {
  /** Lower-case name without its folder: `RM` and `/bin/rm` are `rm`. */
  readonly program: string;
  /** The name as written, without quotes and escapes. */
  readonly written: string;
  /** True if the name is fully known. */
  readonly isNamed: boolean;
  /** True for a command of the line itself, false for a command that a wrapper may run. */
  readonly isDirect: boolean;
  readonly args: readonly RunWord[];
  readonly command: ShellCommand;
  /** Commands joined by `|` share one number, unique in the line. */
  readonly pipeline: number;
}

/** A redirection with its expanded target. */
export interface RunRedirection {
  readonly operator: string;
  readonly target: RunWord;
}

/** All commands that a line runs, as far as its text shows. */
export interface ExpandedShell {
  /** False if something could not be parsed or exceeded a limit. */
  readonly isWhole: boolean;
  readonly commands: readonly RunCommand[];
  readonly redirections: readonly RunRedirection[];
  /** Values that are assigned before commands and on their own, by variable name, as written. */
  readonly assigned: ReadonlyMap<string, readonly string[]>;
  /** True if a text that is run as a line is unknown. */
  readonly runsUnknownText: boolean;
  /** True if a group of commands reads or prints data of a pipe, or reads a file. */
  readonly feedsGroup: boolean;
  /** What cannot be determined about texts that Bash evaluates, in words for the user. */
  readonly evaluationUncertainties: ReadonlySet<string>;
}
