import { hidesEvaluation } from './evaluated-words.ts';
import { createShellReader } from '../parse/shell-reader.ts';
import type { Evaluation, ShellCommand } from '../syntax/shell-word.ts';

/** A parsed command line, as far as judging it requires. */
export interface ParsedShell {
  /** True if quotes and brackets are balanced and the line is neither too long nor nested too deeply. */
  readonly isWhole: boolean;
  /**
   * True if the line is one command and nothing else: no operator, redirection, substitution, assignment, variable,
   * reserved word, or quoted text that Bash evaluates. Only the words of such a line can be taken literally.
   */
  readonly isSimple: boolean;
  /** Every command, including those in substitutions, subshells and process substitutions. */
  readonly commands: readonly ShellCommand[];
}

/** Maximum number of characters that are read. Judging the worst line of this length takes about 0.1 seconds. */
export const maxLineLength = 20_000;

/**
 * Parses a command line of a POSIX shell or Bash. Never runs or expands anything. A line that cannot be parsed has
 * `isWhole: false` and must not be treated as harmless. Only the first 20,000 characters of a longer line are read, so
 * that refused commands in them are still found.
 *
 * @example
 * import { parseShell } from '@haft/permission';
 * const parsed = parseShell('git status && rm notes.txt');
 * parsed.isWhole; // => true
 * parsed.commands.length; // => 2
 */
export function parseShell(line: string): ParsedShell {
  const { isWhole, isSimple, commands } = readLine(line);
  return { isWhole, isSimple, commands };
}

/** A parsed command line, with the texts in it that Bash evaluates when it runs. */
export interface ReadShell extends ParsedShell {
  readonly evaluations: readonly Evaluation[];
  /** True if a group of commands reads or prints data of a pipe, or reads a file. */
  readonly feedsGroup: boolean;
  /** True if any command reads from a pipe or a file. */
  readonly hasInput: boolean;
}

// The rules of a decision parse the same line repeatedly.
let latest: { readonly line: string; readonly read: ReadShell } | undefined;

/** {@link readShell} for the line of a call. Caches the latest line. */
export function readLine(line: string): ReadShell {
  if (latest?.line !== line) latest = { line, read: readShell(line) };
  return latest.read;
}

/** {@link parseShell}, plus the texts that Bash evaluates. */
export function readShell(line: string): ReadShell {
  const isTooLong = line.length > maxLineLength;
  const part = isTooLong ? beginningOf(line) : line;
  if (part.includes('\0'))
    return { isWhole: false, isSimple: false, commands: [], evaluations: [], feedsGroup: false, hasInput: false };
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
    only.words.every((word) => word.isLiteral && word.nested.length === 0) &&
    !hidesEvaluation(only.words);
  return {
    isWhole,
    isSimple,
    commands,
    evaluations: reader.evaluations,
    feedsGroup: reader.feedsGroup(),
    hasInput: reader.hasInput(),
  };
}

/**
 * Parses the commands in a text that Bash evaluates. Each evaluation removes a level of quotes and escapes, so that
 * quoting does not protect the content.
 */
export function readEvaluated(text: string): ReadShell {
  const plain = text.replaceAll('\\', '');
  const readers = [...new Set([text, plain])].map((one) => createShellReader(one.slice(0, maxLineLength)));
  const commands = readers.flatMap((reader) => reader.readWithin());
  const evaluations = readers.flatMap((reader) => reader.evaluations);
  const feedsGroup = readers.some((reader) => reader.feedsGroup());
  const hasInput = readers.some((reader) => reader.hasInput());
  return { isWhole: true, isSimple: false, commands, evaluations, feedsGroup, hasInput };
}

/** Returns the whole words at the beginning of a line, up to the limit. A truncated word could mean anything. */
function beginningOf(line: string): string {
  const part = line.slice(0, maxLineLength);
  return part.slice(0, Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'), 0));
}
