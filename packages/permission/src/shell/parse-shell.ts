import { createShellReader } from './shell-reader.ts';
import type { ShellCommand } from './shell-word.ts';

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

/** So many characters of a line are read: judging the worst line of this length takes about a tenth of a second. */
export const longestLine = 20_000;

/**
 * Takes a command line of a POSIX shell or bash apart. It never runs or expands anything; what it can't take apart is
 * `isWhole: false`, which nothing may treat as harmless. Of a line of more than 20,000 characters only the beginning is
 * read, so that what is refused there still shows.
 */
export function parseShell(line: string): ParsedShell {
  const isTooLong = line.length > longestLine;
  const part = isTooLong ? beginningOf(line) : line;
  if (part.includes('\0')) return { isWhole: false, isSimple: false, commands: [] };
  const reader = createShellReader(part);
  const commands = reader.readAll();
  const [only, ...others] = commands;
  const isWhole = reader.isWhole() && !isTooLong;
  const isSimple =
    isWhole &&
    !reader.hasGrammar() &&
    only !== undefined &&
    others.length === 0 &&
    only.assignments.length === 0 &&
    only.redirections.length === 0 &&
    only.words.length > 0 &&
    only.words.every((word) => word.isLiteral && word.nested.length === 0);
  return { isWhole, isSimple, commands };
}

/** As many whole words of a line as are read; a word that is cut could mean anything. */
function beginningOf(line: string): string {
  const part = line.slice(0, longestLine);
  return part.slice(0, Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'), 0));
}
