import { readAnsiQuoted } from './ansi-quotes.ts';
import { readBracedParameter, readPlainParameter } from './read-parameter.ts';
import type { ShellCommand, ShellWord, WordPart } from './shell-word.ts';

/** What a word needs of the reader it stands in. */
export interface CommandReading {
  /** Notes that the line can't be read for certain. */
  spoil(): void;
  /** Reads commands up to `closer`, or to the end when that is empty, into `nested`; gives the index after it. */
  readList(text: string, from: number, closer: '' | ')', depth: number, nested: ShellCommand[]): number;
}

/** A word and the index after it. */
export interface ReadWord {
  readonly word: ShellWord;
  readonly end: number;
}

// Not all that Unicode calls a blank: to a shell, a carriage return is a character of a word.
const endsWord = /[ \t\n;&|()<>]/;
const arithmetic = /^[\w\s$+\-*/%<>=!&|^~?:,.()#]*$/;
const adjacentOperands = /[\w)]\s+[\w$(]/;
const longestArithmetic = 200;

/** Whether `<(` or `>(` stands here. */
export function isProcessSubstitution(text: string, at: number): boolean {
  return (text[at] === '<' || text[at] === '>') && text[at + 1] === '(';
}

/** Reads one word with its quotes, escapes and expansions. */
export function readWord(reading: CommandReading, text: string, from: number, depth: number): ReadWord {
  const nested: ShellCommand[] = [];
  const parts: WordPart[] = [];
  let value = '';
  let pending = '';
  let isPendingQuoted = false;
  let isLiteral = true;
  let hasQuotedPattern = false;
  let at = from;

  const endText = (): void => {
    if (pending !== '' || isPendingQuoted) parts.push({ kind: 'text', text: pending, isQuoted: isPendingQuoted });
    pending = '';
    isPendingQuoted = false;
  };
  const take = (characters: string, isQuoted: boolean): void => {
    if (isQuoted !== isPendingQuoted) endText();
    isPendingQuoted = isQuoted;
    if (isQuoted) hasQuotedPattern ||= /[*?[]/.test(characters);
    pending += characters;
    value += characters;
  };
  const takePart = (part: WordPart, shown: string): void => {
    endText();
    parts.push(part);
    value += shown;
    isLiteral = false;
  };
  const takeCommands = (
    kind: 'output' | 'pipe',
    isQuoted: boolean,
    read: (commands: ShellCommand[]) => number,
  ): void => {
    const commands: ShellCommand[] = [];
    at = read(commands);
    for (const command of commands) nested.push(command);
    takePart({ kind, commands, isQuoted }, '$()');
  };
  const list = (commands: ShellCommand[]): number => reading.readList(text, at + 2, ')', depth + 1, commands);

  /** Takes an expansion if one begins here. */
  const takeExpansion = (isQuoted: boolean): boolean => {
    if (text[at] === '`') {
      takeCommands('output', isQuoted, (commands) => readBackticks(reading, text, at, depth, commands));
      return true;
    }
    if (text[at] !== '$') return false;
    if (text.startsWith('$(', at)) {
      const end = findArithmeticEnd(text, at);
      if (end !== undefined) {
        at = end;
        takePart({ kind: 'number', isQuoted }, '0');
      } else takeCommands('output', isQuoted, list);
      return true;
    }
    const read = text.startsWith('${', at) ? readBracedParameter(text, at) : readPlainParameter(text, at);
    if (!read) return false;
    if (!read.isSure) reading.spoil();
    readSubstitutions(reading, read.parameter.operand, depth, nested);
    takePart({ kind: 'parameter', parameter: read.parameter, isQuoted }, text.slice(at, read.end));
    at = read.end;
    return true;
  };
  const takeDoubleQuoted = (): void => {
    take('', true);
    while (at < text.length && text[at] !== '"') {
      if (text[at] === '\\' && /["$`\\\n]/.test(text[at + 1] ?? '')) {
        if (text[at + 1] !== '\n') take(text[at + 1]!, true);
        at += 2;
      } else if (!takeExpansion(true)) {
        take(text[at]!, true);
        at += 1;
      }
    }
    if (at >= text.length) reading.spoil();
    at += 1;
  };

  while (at < text.length) {
    const character = text[at]!;
    if (isProcessSubstitution(text, at)) takeCommands('pipe', false, list);
    else if (endsWord.test(character)) {
      // `@(a|b)` is a pattern where a shell was told so, and a mistake elsewhere.
      if (character === '(' && at > from && /[?*+@!]/.test(text[at - 1]!)) reading.spoil();
      break;
    } else if (character === '\\') {
      if (at + 1 >= text.length) reading.spoil();
      else if (text[at + 1] !== '\n') take(text[at + 1]!, true);
      at += 2;
    } else if (character === "'") {
      const end = text.indexOf("'", at + 1);
      if (end === -1) reading.spoil();
      take(text.slice(at + 1, end === -1 ? text.length : end), true);
      at = end === -1 ? text.length : end + 1;
    } else if (text.startsWith("$'", at)) {
      const quoted = readAnsiQuoted(text, at + 2);
      if (!quoted.isClosed) reading.spoil();
      take(quoted.content, true);
      at = quoted.end;
    } else if (character === '"' || text.startsWith('$"', at)) {
      at += character === '"' ? 1 : 2;
      takeDoubleQuoted();
    } else if (!takeExpansion(false)) {
      if (/[*?[{]/.test(character) || (character === '~' && value === '')) isLiteral = false;
      take(character, false);
      at += 1;
    }
  }
  endText();
  return { word: { text: value, isLiteral, hasQuotedPattern, nested, parts }, end: Math.min(at, text.length) };
}

/** The index after `$((…))`; undefined for commands in brackets, and for what is too long to be looked at. */
function findArithmeticEnd(text: string, from: number): number | undefined {
  if (!text.startsWith('$((', from)) return undefined;
  let depth = 0;
  for (let at = from + 1; at < Math.min(text.length, from + longestArithmetic); at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth > 1 || text[at] !== ')') continue;
    const inner = text.slice(from + 3, at);
    return text[at + 1] === ')' && arithmetic.test(inner) && !adjacentOperands.test(inner) ? at + 2 : undefined;
  }
  return undefined;
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
