import { readAnsiQuoted } from './ansi-quotes.ts';
import { findClosing } from './find-closing.ts';
import { readExpansion, readText, type CommandReading } from './read-expansion.ts';
import type { ShellCommand, ShellWord, WordPart } from '../syntax/shell-word.ts';

/** The position of a word. A subscript belongs to the word if the word may be an assignment or an array element. */
export type WordPosition = 'plain' | 'assignment' | 'element';

/** A word and the index after it. */
export interface ReadWord {
  readonly word: ShellWord;
  readonly end: number;
}

// Not all Unicode blanks: a shell treats a carriage return as part of a word.
const endsWord = /[ \t\n;&|()<>]/;
const emptyQuotes = /(?:\\\n)*"/y;
const plainCharacters = /[\w./:,@%+^\-\]}]+/y;

/** Returns whether `<(` or `>(` is at this index. */
export function isProcessSubstitution(text: string, at: number): boolean {
  return (text[at] === '<' || text[at] === '>') && text[at + 1] === '(';
}

/** Reads one word with its quotes, escapes and expansions. */
export function readWord(
  reading: CommandReading,
  text: string,
  from: number,
  depth: number,
  position: WordPosition = 'plain',
): ReadWord {
  const nested: ShellCommand[] = [];
  const parts: WordPart[] = [];
  let value = '';
  let pending = '';
  let isPendingQuoted = false;
  let isLiteral = true;
  let hasQuotedPattern = false;
  let mayHaveSubscript = position !== 'plain';
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
  const takePipe = (): void => {
    const commands: ShellCommand[] = [];
    if (text[at] === '>') reading.feedGroup();
    at = reading.readList(text, at + 2, ')', depth + 1, commands);
    for (const command of commands) nested.push(command);
    // Bash may drop an empty substitution from the word.
    if (commands.length === 0) reading.spoil();
    takePart({ kind: 'pipe', commands, isQuoted: false }, '$()');
  };

  /** Reads an expansion if one begins here. */
  const takeExpansion = (isQuoted: boolean): boolean => {
    const read = readExpansion(reading, text, at, depth, isQuoted, nested);
    if (!read) return false;
    takePart(read.part, read.shown);
    at = read.end;
    return true;
  };
  /** Reads the subscript of an assignment, in which blanks and operators are literal. */
  const takeSubscript = (): boolean => {
    // Only the first bracket can begin a subscript.
    mayHaveSubscript = false;
    const isOpen = parts.length === 0 && !isPendingQuoted;
    if (!isOpen || !(position === 'assignment' ? /^[A-Za-z_]\w*$/.test(value) : position === 'element' && value === ''))
      return false;
    const end = findClosing(text, at + 1, '[', ']');
    if (end === undefined) {
      // Without a closing bracket this is an ordinary word.
      if (text.includes(']', at)) reading.spoil();
      return false;
    }
    const subscript = text.slice(at + 1, end);
    if (!/^\+?=/.test(text.slice(end + 1, end + 3))) {
      if (/[^\w!^-]/.test(subscript)) reading.spoil();
      return false;
    }
    // In an array list, these are process substitutions.
    if (/[<>]\(/.test(subscript)) reading.spoil();
    reading.evaluate('arithmetic', readText(reading, subscript, depth + 1, nested));
    take(`[${subscript}]`, false);
    at = end + 1;
    return true;
  };
  const takeDoubleQuoted = (): void => {
    // Empty quotes are a word. Other quotes are only as much as their content: `"$@"` may expand to nothing.
    emptyQuotes.lastIndex = at;
    if (emptyQuotes.test(text)) take('', true);
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
    plainCharacters.lastIndex = at;
    const run = plainCharacters.exec(text)?.[0];
    if (run !== undefined) {
      take(run, false);
      at += run.length;
      continue;
    }
    const character = text[at]!;
    if (isProcessSubstitution(text, at)) takePipe();
    else if (character === '[' && mayHaveSubscript && takeSubscript()) continue;
    else if (endsWord.test(character)) {
      // `@(a|b)` is a pattern if the shell has extended globs enabled, and a syntax error otherwise.
      if (character === '(' && at > from && /[?*+@!]/.test(text[at - 1]!)) reading.spoil();
      break;
    } else if (character === '\\') {
      if (at + 1 >= text.length) reading.spoil();
      else if (text[at + 1] !== '\n') take(text[at + 1]!, true);
      // Together with the adjacent characters, this may be a different token.
      else if (at > from && (position === 'assignment' ? /[^ \t\n;&|)]/ : /[<>(]/).test(text[at + 2] ?? ' '))
        reading.spoil();
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
      if (/[*?[{]/.test(character) || (character === '~' && /(?:^|[=:])$/.test(value.slice(-1)))) isLiteral = false;
      take(character, false);
      at += 1;
    }
  }
  endText();
  return { word: { text: value, isLiteral, hasQuotedPattern, nested, parts }, end: Math.min(at, text.length) };
}
