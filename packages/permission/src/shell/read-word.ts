import { readAnsiQuoted } from './ansi-quotes.ts';
import type { ShellCommand, ShellWord } from './parse-shell.ts';

/** What a word needs of the reader it stands in. */
export interface CommandReading {
  /** Notes that the line is not balanced. */
  spoil(): void;
  /** Reads commands up to `closer`, or to the end when that is empty, into `nested`; gives the index after it. */
  readList(text: string, from: number, closer: '' | ')', depth: number, nested: ShellCommand[]): number;
}

/** A word and the index after it. */
export interface ReadWord {
  readonly word: ShellWord;
  readonly end: number;
}

const endsWord = /[\s;&|()<>]/;
const beginsExpansion = /[A-Za-z_0-9@*#?$!-]/;

/** Whether `<(` or `>(` stands here. */
export function isProcessSubstitution(text: string, at: number): boolean {
  return (text[at] === '<' || text[at] === '>') && text[at + 1] === '(';
}

/** Reads one word with its quotes, escapes and expansions. */
export function readWord(reading: CommandReading, text: string, from: number, depth: number): ReadWord {
  const nested: ShellCommand[] = [];
  let value = '';
  let isLiteral = true;
  let hasQuotedPattern = false;
  let at = from;

  const take = (quoted: string): void => {
    hasQuotedPattern ||= /[*?[]/.test(quoted);
    value += quoted;
  };
  /** Takes an expansion if one begins here. */
  const takeExpansion = (): boolean => {
    if (text[at] !== '$' && text[at] !== '`') return false;
    if (text.startsWith('$(', at)) {
      at = reading.readList(text, at + 2, ')', depth + 1, nested);
      value += '$()';
    } else if (text[at] === '`') {
      at = readBackticks(reading, text, at, depth, nested);
      value += '$()';
    } else if (text.startsWith('${', at)) {
      const end = findBraceEnd(reading, text, at);
      readSubstitutions(reading, text.slice(at + 2, end - 1), depth, nested);
      value += text.slice(at, end);
      at = end;
    } else if (beginsExpansion.test(text[at + 1] ?? '')) {
      value += '$';
      at += 1;
    } else return false;
    isLiteral = false;
    return true;
  };
  const takeDoubleQuoted = (): void => {
    while (at < text.length && text[at] !== '"') {
      if (text[at] === '\\' && /["$`\\\n]/.test(text[at + 1] ?? '')) {
        if (text[at + 1] !== '\n') take(text[at + 1]!);
        at += 2;
      } else if (!takeExpansion()) {
        take(text[at]!);
        at += 1;
      }
    }
    if (at >= text.length) reading.spoil();
    at += 1;
  };

  while (at < text.length) {
    const character = text[at]!;
    if (isProcessSubstitution(text, at)) {
      at = reading.readList(text, at + 2, ')', depth + 1, nested);
      value += '$()';
      isLiteral = false;
    } else if (endsWord.test(character)) break;
    else if (character === '\\') {
      if (at + 1 >= text.length) reading.spoil();
      else if (text[at + 1] !== '\n') take(text[at + 1]!);
      at += 2;
    } else if (character === "'") {
      const end = text.indexOf("'", at + 1);
      if (end === -1) reading.spoil();
      take(text.slice(at + 1, end === -1 ? text.length : end));
      at = end === -1 ? text.length : end + 1;
    } else if (text.startsWith("$'", at)) {
      const quoted = readAnsiQuoted(text, at + 2);
      if (!quoted.isClosed) reading.spoil();
      take(quoted.content);
      at = quoted.end;
    } else if (character === '"' || text.startsWith('$"', at)) {
      at += character === '"' ? 1 : 2;
      takeDoubleQuoted();
    } else if (!takeExpansion()) {
      if (/[*?[{]/.test(character) || (character === '~' && value === '')) isLiteral = false;
      value += character;
      at += 1;
    }
  }
  return { word: { text: value, isLiteral, hasQuotedPattern, nested }, end: Math.min(at, text.length) };
}

/** Reads the substitutions of a text that is otherwise no command, such as a here-document. */
export function readSubstitutions(reading: CommandReading, text: string, depth: number, nested: ShellCommand[]): void {
  for (let at = 0; at < text.length;) {
    if (text[at] === '\\') at += 2;
    else if (text.startsWith('$(', at)) at = reading.readList(text, at + 2, ')', depth + 1, nested);
    else if (text[at] === '`') at = readBackticks(reading, text, at, depth, nested);
    else at += 1;
  }
}

function readBackticks(
  reading: CommandReading,
  text: string,
  from: number,
  depth: number,
  nested: ShellCommand[],
): number {
  let end = from + 1;
  while (end < text.length && text[end] !== '`') end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) reading.spoil();
  const inner = text.slice(from + 1, end).replaceAll(/\\([`$\\])/g, '$1');
  reading.readList(inner, 0, '', depth + 1, nested);
  return end + 1;
}

/** The index after the brace that closes `${` at `from`. */
function findBraceEnd(reading: CommandReading, text: string, from: number): number {
  let level = 0;
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') level += 1;
    else if (text[at] === '}') {
      level -= 1;
      if (level === 0) return at + 1;
    }
  }
  reading.spoil();
  return text.length;
}
