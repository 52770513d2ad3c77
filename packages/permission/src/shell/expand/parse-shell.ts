import { hidesEvaluation } from './evaluated-words.ts';
import { createShellReader } from '../parse/shell-reader.ts';
import type { Evaluation, ShellCommand } from '../parse/shell-word.ts';

/** A command line, taken apart as far as it needs to be judged. */
export interface ParsedShell {
  /** Quotes and brackets are balanced, and it is not too long or too deep. */
  readonly isWhole: boolean;
  /**
   * It is one command and nothing else: no operator, redirection, substitution, assignment, variable, word of the
   * shell's own grammar, or quoted text that Bash evaluates. Only such a line means what its words say.
   */
  readonly isSimple: boolean;
  /** Every command, those inside substitutions, subshells and process substitutions included. */
  readonly commands: readonly ShellCommand[];
}

/** So many characters of a line are read: judging the worst line of this length takes about a tenth of a second. */
export const maxLineLength = 20_000;

/**
 * Takes a command line of a POSIX shell or bash apart. It never runs or expands anything; what it can't take apart is
 * `isWhole: false`, which nothing may treat as harmless. Of a line of more than 20,000 characters only the beginning is
 * read, so that what is refused there still shows.
 */
export function parseShell(line: string): ParsedShell {
  const { isWhole, isSimple, commands } = readLine(line);
  return { isWhole, isSimple, commands };
}

/** A command line with the texts in it that Bash evaluates when it runs. */
export interface ReadShell extends ParsedShell {
  readonly evaluations: readonly Evaluation[];
  /** A group of commands reads or prints what goes through a pipe or comes from a file. */
  readonly feedsGroup: boolean;
  /** Something reads from a pipe or a file. */
  readonly hasInput: boolean;
}

// The rules of a decision ask for the line that was taken apart just before.
let latest: { readonly line: string; readonly read: ReadShell } | undefined;

/** {@link readShell} for the line of a call. */
export function readLine(line: string): ReadShell {
  if (latest?.line !== line) latest = { line, read: readShell(line) };
  return latest.read;
}

/** {@link parseShell} with the texts that Bash evaluates. */
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
 * Reads the commands in a text that Bash evaluates. Each evaluation takes a level of quotes and escapes away, so that
 * none of them protects what is inside.
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

/** As many whole words of a line as are read; a word that is cut could mean anything. */
function beginningOf(line: string): string {
  const part = line.slice(0, maxLineLength);
  return part.slice(0, Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'), 0));
}
