import { findClosing, findDoubleEnd, isPaired } from './find-closing.ts';
import { readBracedParameter, readPlainParameter, type ReadParameter } from './read-parameter.ts';
import type { Evaluation, ShellCommand, WordPart } from './shell-word.ts';

/** The callbacks of the reader that a word belongs to. */
export interface CommandReading {
  /** Records that the line cannot be parsed with certainty. */
  spoil(): void;
  /** Records a text that Bash evaluates when the command runs. */
  evaluate(kind: Evaluation['kind'], parts: readonly WordPart[]): void;
  /** Records that the expansion of a word sets a variable. */
  assign(name: string, parts: readonly WordPart[]): void;
  /** Records that commands read the output of another command. */
  feedGroup(): void;
  /**
   * Reads commands up to `closer`, or to the end if `closer` is empty, into `nested`. Returns the index after the
   * commands.
   */
  readList(text: string, from: number, closer: '' | ')', depth: number, nested: ShellCommand[]): number;
}

/** An expansion, its representation in the text of its word, and the index after it. */
export interface ReadExpansion {
  readonly part: Exclude<WordPart, { readonly kind: 'text' }>;
  readonly shown: string;
  readonly end: number;
}

/** Maximum nesting depth of texts such as `${a:-${b:-…}}`. */
const maxDepth = 40;

/**
 * Reads an expansion that begins with `$` or a backtick. Returns undefined if the character is literal. Adds the
 * commands in it to `nested`.
 */
export function readExpansion(
  reading: CommandReading,
  text: string,
  at: number,
  depth: number,
  isQuoted: boolean,
  nested: ShellCommand[],
): ReadExpansion | undefined {
  const readCommands = (read: (commands: ShellCommand[]) => number): ReadExpansion => {
    const commands: ShellCommand[] = [];
    const end = read(commands);
    for (const command of commands) nested.push(command);
    return { part: { kind: 'output', commands, isQuoted }, shown: '$()', end };
  };
  if (text[at] === '`') return readCommands((commands) => readBackticks(reading, text, at, depth, isQuoted, commands));
  if (text[at] !== '$') return undefined;
  const next = text[at + 1];
  if (next === '(' || next === '[') {
    const bracket = next === '[' ? findClosing(text, at + 2, '[', ']') : undefined;
    const end = next === '(' ? findDoubleEnd(text, at + 1) : bracket === undefined ? undefined : bracket + 1;
    if (end !== undefined) {
      const inner = next === '(' ? text.slice(at + 3, end - 2) : text.slice(at + 2, end - 1);
      reading.evaluate('arithmetic', readText(reading, inner, depth + 1, nested));
      return { part: { kind: 'number', isQuoted }, shown: '0', end };
    }
    if (next === '(' && text[at + 2] === '(' && !isPaired(text, at + 1)) reading.spoil();
    if (next === '(') return readCommands((commands) => reading.readList(text, at + 2, ')', depth + 1, commands));
    reading.spoil();
    return undefined;
  }
  const read = next === '{' ? readBracedParameter(text, at) : readPlainParameter(text, at);
  if (!read) return undefined;
  if (!read.isSure) reading.spoil();
  readSuffix(reading, read, depth + 1, nested);
  return {
    part: { kind: 'parameter', parameter: read.parameter, isQuoted },
    shown: text.slice(at, read.end),
    end: read.end,
  };
}

/** Reads the text after the name in `${name…}`. A subscript, an offset and a length are arithmetic. */
function readSuffix(
  reading: CommandReading,
  { parameter: { name }, suffix, isIndirect }: ReadParameter,
  depth: number,
  nested: ShellCommand[],
): void {
  if (suffix === '' && !isIndirect) return;
  const value: WordPart = {
    kind: 'parameter',
    parameter: { name, isBraced: true, operator: isIndirect ? 'other' : '', operand: '' },
    isQuoted: true,
  };
  let rest = suffix;
  if (rest.startsWith('[')) {
    const end = findClosing(rest, 1, '[', ']') ?? rest.length;
    if (end === rest.length) reading.spoil();
    const subscript = rest.slice(1, end);
    rest = rest.slice(end + 1);
    if (!/^[@*]$/.test(subscript)) reading.evaluate('arithmetic', readText(reading, subscript, depth, nested));
    else if (isIndirect && rest === '') return;
  }
  // `${!x*}` lists variable names.
  if (isIndirect && !/^[@*]$/.test(rest))
    reading.evaluate('name', [{ ...value, parameter: { ...value.parameter, operator: '' } }]);
  // Outside of quotes, these are process substitutions.
  if (/[<>]\(/.test(rest)) reading.spoil();
  const operand = readText(reading, rest, depth, nested);
  // `${!x:=y}` sets the variable that the value of `x` names.
  if (isIndirect && /^:?=/.test(rest)) reading.spoil();
  if (/^:?=/.test(rest)) reading.assign(name, readText(reading, rest.replace(/^:?=/, ''), depth, []));
  if (/^:(?![-=+?])/.test(rest)) reading.evaluate('arithmetic', operand);
  if (/^@[A-Za-z]*P/.test(rest)) reading.evaluate('prompt', [value]);
}

/** Reads a text with the rules for double quotes: in here-documents, arithmetic, subscripts and operands. */
export function readText(
  reading: CommandReading,
  text: string,
  depth: number,
  nested: ShellCommand[],
): readonly WordPart[] {
  if (text === '') return [];
  if (depth > maxDepth) {
    reading.spoil();
    return [];
  }
  const parts: WordPart[] = [];
  let pending = '';
  const endText = (): void => {
    if (pending !== '') parts.push({ kind: 'text', text: pending, isQuoted: true });
    pending = '';
  };
  for (let at = 0; at < text.length;) {
    const character = text[at]!;
    const read =
      character === '$' || character === '`' ? readExpansion(reading, text, at, depth, true, nested) : undefined;
    if (read) {
      endText();
      parts.push(read.part);
      at = read.end;
    } else if (character === '\\' && /["$`\\\n]/.test(text[at + 1] ?? '')) {
      if (text[at + 1] !== '\n') pending += text[at + 1]!;
      at += 2;
    } else {
      pending += character;
      at += 1;
    }
  }
  endText();
  return parts;
}

function readBackticks(
  reading: CommandReading,
  text: string,
  from: number,
  depth: number,
  isQuoted: boolean,
  nested: ShellCommand[],
): number {
  let end = from + 1;
  while (end < text.length && text[end] !== '`') end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) reading.spoil();
  const inner = text.slice(from + 1, end).replaceAll(isQuoted ? /\\([`$\\"])/g : /\\([`$\\])/g, '$1');
  reading.readList(inner, 0, '', depth + 1, nested);
  return end + 1;
}
