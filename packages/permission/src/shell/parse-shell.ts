import { createShellReader } from './shell-reader.ts';

/** One word of a command, as the shell would pass it on. */
export interface ShellWord {
  /** Quotes and escapes removed; expansions stand as written. */
  readonly text: string;
  /** The text is the value: no variable, substitution, tilde or pattern is left to expand. */
  readonly isLiteral: boolean;
  /** A `*`, `?` or `[` that is a character, not a pattern. */
  readonly hasQuotedPattern: boolean;
  /** Commands inside substitutions of this word. */
  readonly nested: readonly ShellCommand[];
}

/** One command without operators. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** `NAME=value` before the command. */
  readonly assignments: readonly ShellWord[];
  readonly redirections: readonly { readonly operator: string; readonly target: ShellWord }[];
  /** Number of the pipeline it stands in: commands joined by `|` share one. */
  readonly pipeline: number;
}

/** A command line, taken apart as far as it needs to be judged. */
export interface ParsedShell {
  /** Quotes and brackets are balanced, and it is not too long or too deep. */
  readonly isWhole: boolean;
  /**
   * It is one command and nothing else: no operator, redirection, substitution, assignment, variable, or word of the
   * shell's own grammar. Only such a line means what its words say.
   */
  readonly isSimple: boolean;
  /** Every command, those inside substitutions, subshells and process substitutions included. */
  readonly commands: readonly ShellCommand[];
}

const longest = 100_000;

/**
 * Takes a command line of a POSIX shell or bash apart. It never runs or expands anything; what it can't take apart is
 * `isWhole: false`, which nothing may treat as harmless.
 */
export function parseShell(line: string): ParsedShell {
  if (line.length > longest || line.includes('\0')) return { isWhole: false, isSimple: false, commands: [] };
  const reader = createShellReader(line);
  const commands = reader.readAll();
  const [only, ...others] = commands;
  const isSimple =
    reader.isWhole() &&
    !reader.hasGrammar() &&
    only !== undefined &&
    others.length === 0 &&
    only.assignments.length === 0 &&
    only.redirections.length === 0 &&
    only.words.length > 0 &&
    only.words.every((word) => word.isLiteral && word.nested.length === 0);
  return { isWhole: reader.isWhole(), isSimple, commands };
}
