import { isDigit, isNameStart, isWhitespace } from '../json/characters.ts';
import { readValue } from '../json/read-value.ts';
import type { Found, Source, WrittenCall } from './envelope.ts';
import { isDoubtful } from './is-doubtful.ts';
import { readStatementStart, skipBetweenStatements } from './read-statement.ts';

/** How calls written like code may be laid out. */
export interface CallLiteralLayout {
  /** Whether they may stand in brackets, `[f(a=1), g()]`. */
  readonly isList?: boolean;
  /** Whether they may stand in a program: `x = f(a=1)`, `await f()`, `print(f(a=1))`, with comments between them. */
  readonly isProgram?: boolean;
}

/**
 * Reads calls written like code, `f(a=1, b="x")`, separated by commas, semicolons or line breaks.
 * `undefined` when something else stands there.
 */
export function readCallLiterals(source: Source, from: number, layout: CallLiteralLayout = {}): Found | undefined {
  const { text } = source;
  const isProgram = layout.isProgram === true;
  const calls: WrittenCall[] = [];
  const variables = new Set<string>();
  let at = isProgram ? skipBetweenStatements(text, from, variables).at : skipBlank(text, from);
  let brackets = 0;
  while (layout.isList === true && text[at] === '[' && brackets < 2) {
    brackets += 1;
    at = skipBlank(text, at + 1);
  }
  let end = at;
  for (;;) {
    const statement = isProgram ? readStatementStart(text, at) : undefined;
    const one = readOne(source, statement?.at ?? at, isProgram);
    if (one === undefined) break;
    if (statement?.variable !== undefined) variables.add(statement.variable);
    calls.push(one.call);
    end = one.end;
    if (one.call.ending !== 'closed') return { end: text.length, calls };
    if (isProgram) ({ at, end } = skipBetweenStatements(text, end, variables));
    else {
      if (text[end] === ';') end += 1;
      at = skipSeparators(text, end);
    }
    if (brackets > 0 && text[at] === ']') return { end: text[at + 1] === ']' ? at + brackets : at + 1, calls };
  }
  if (calls.length === 0) return undefined;
  // A list whose bracket is missing at the very end still holds whole calls; one that goes on in another way is no list.
  return brackets > 0 && skipSeparators(text, end) < text.length ? undefined : { end, calls };
}

function readOne(
  source: Source,
  from: number,
  isProgram: boolean,
): { readonly call: WrittenCall; readonly end: number } | undefined {
  const { text, stopped, limits } = source;
  const nameEnd = endOfName(text, from);
  const open = skipSpaces(text, nameEnd);
  if (nameEnd === from || text[open] !== '(') return undefined;
  const name = text.slice(from, nameEnd);
  if (isProgram && name === 'print' && !source.tools.some((tool) => tool.name === name)) {
    const inner = readOne(source, skipBlank(text, open + 1), false);
    if (inner === undefined) return undefined;
    const end = skipBlank(text, inner.end);
    return text[end] === ')' ? { call: inner.call, end: end + 1 } : undefined;
  }
  const machine = readValue(text, open + 1, 'arguments', {
    ...(stopped === undefined ? {} : { stopped }),
    ...(limits === undefined ? {} : { limits }),
  });
  if (machine.failure !== undefined) return undefined;
  const call: WrittenCall = {
    name: name.endsWith('.call') ? name.slice(0, -5) : name,
    arguments: machine.root,
    positional: machine.positional,
    ending: isDoubtful(source, machine) ? 'cut' : machine.ending,
    risk: machine.risk,
    repairs: machine.repairs,
  };
  return { call, end: machine.rootEnd };
}

/** Where a name with dots and dashes ends; `from` itself when none begins there. */
export function endOfName(text: string, from: number): number {
  if (!isNameStart(text.charCodeAt(from))) return from;
  let at = from + 1;
  while (isNameCharacter(text, at)) at += 1;
  return at;
}

function isNameCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (isNameStart(code) || isDigit(code)) return true;
  return (text[at] === '.' || text[at] === '-' || text[at] === '/') && isNameStart(text.charCodeAt(at + 1));
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at += 1;
  return at;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (isWhitespace(text.charCodeAt(at))) at += 1;
  return at;
}

function skipSeparators(text: string, from: number): number {
  let at = from;
  while (isWhitespace(text.charCodeAt(at)) || text[at] === ',' || text[at] === ';') at += 1;
  return at;
}
