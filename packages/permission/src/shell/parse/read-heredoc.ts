import { readText, type CommandReading } from './read-expansion.ts';
import type { ShellCommand, ShellWord } from '../syntax/shell-word.ts';

/** Placeholder for the program that reads a here-document. Its second word is the text. */
export const heredocProgram = '<<';

/** A here-document that was announced and begins on the next line. */
export interface Heredoc {
  readonly delimiter: ShellWord;
  readonly stripsTabs: boolean;
}

/**
 * Reads a here-document and its substitutions. Returns its text and the index after its last line. `isExpanded`: the
 * program reads something other than the text, because Bash expands the text first, regardless of quotes in it.
 */
export function readHeredoc(
  reading: CommandReading,
  text: string,
  from: number,
  { delimiter, stripsTabs }: Heredoc,
  depth: number,
  nested: ShellCommand[],
): { readonly text: string; readonly end: number; readonly isExpanded: boolean } {
  const isQuoted = delimiter.parts.some((part) => part.kind === 'text' && part.isQuoted);
  if (delimiter.parts.some(({ kind }) => kind !== 'text')) reading.spoil();
  let at = from;
  while (at < text.length) {
    const { raw, end } = isQuoted ? readLine(text, at) : readJoinedLine(text, at);
    if ((stripsTabs ? raw.replace(/^\t+/, '') : raw) === delimiter.text) {
      const body = text.slice(from, at);
      // Bash expands only a body with an unquoted delimiter. A quoted body is parsed too, because a shell may read it.
      // Backticks are excluded, since they are quotes in many languages.
      if (isQuoted) readText({ ...reading, spoil() {}, evaluate() {} }, body.replaceAll('`', ' '), depth + 1, nested);
      else readText(reading, body, depth + 1, nested);
      return { text: body, end: Math.min(end + 1, text.length), isExpanded: !isQuoted && /[$`\\]/.test(body) };
    }
    at = end + 1;
  }
  reading.spoil();
  return { text: text.slice(from), end: text.length, isExpanded: !isQuoted };
}

/** Returns the command that replaces a here-document: a program that reads the text. */
export function toCommand(
  { text, isExpanded }: { readonly text: string; readonly isExpanded: boolean },
  pipeline: number,
): ShellCommand {
  return {
    words: [literal(heredocProgram), literal(text)],
    assignments: [],
    redirections: [],
    pipeline,
    ...(isExpanded && { isExpandedText: true }),
  };
}

function literal(text: string): ShellWord {
  return {
    text,
    isLiteral: true,
    hasQuotedPattern: false,
    nested: [],
    parts: [{ kind: 'text', text, isQuoted: true }],
  };
}

interface Line {
  readonly raw: string;
  readonly end: number;
}

function readLine(text: string, from: number): Line {
  const newline = text.indexOf('\n', from);
  const end = newline === -1 ? text.length : newline;
  return { raw: text.slice(from, end), end };
}

/** Joins lines that end in a backslash before they are compared with the delimiter. */
function readJoinedLine(text: string, from: number): Line {
  let { raw, end } = readLine(text, from);
  const joined: string[] = [];
  while (isContinued(raw) && end < text.length) {
    joined.push(raw.slice(0, -1));
    ({ raw, end } = readLine(text, end + 1));
  }
  return { raw: joined.join('') + raw, end };
}

function isContinued(line: string): boolean {
  let backslashes = 0;
  while (line[line.length - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
