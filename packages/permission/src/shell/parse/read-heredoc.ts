import { readText, type CommandReading } from './read-expansion.ts';
import type { ShellCommand, ShellWord } from './shell-word.ts';

/** A here-document that was announced and begins on the next line. */
export interface Heredoc {
  readonly delimiter: ShellWord;
  readonly stripsTabs: boolean;
}

/**
 * Reads a here-document with the substitutions in it; gives its text and the index after its last line. `isExpanded`: what is
 * read from it differs from the text, since Bash expands it first, whatever quotes stand in it.
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
      // Only what stands without quotes is expanded. The rest is read all the same, but for backticks, which are quotes in
      // many languages: a shell may be given it.
      if (isQuoted) readText({ ...reading, spoil() {}, evaluate() {} }, body.replaceAll('`', ' '), depth + 1, nested);
      else readText(reading, body, depth + 1, nested);
      return { text: body, end: Math.min(end + 1, text.length), isExpanded: !isQuoted && /[$`\\]/.test(body) };
    }
    at = end + 1;
  }
  reading.spoil();
  return { text: text.slice(from), end: text.length, isExpanded: !isQuoted };
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

/** Lines that end in a backslash are joined before they are compared with the delimiter. */
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
