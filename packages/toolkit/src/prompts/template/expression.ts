import { findNearestNames } from '@haft/core';
import { helpers } from './helpers.ts';
import { TemplateProblem } from './template-problem.ts';

/** What stands between two pairs of braces. */
export type Expression =
  /** `.`, `.a.b`, `$`, `$.a`: the value at hand, or the whole of the variables. */
  | { readonly kind: 'path'; readonly from: 'dot' | 'root'; readonly keys: readonly string[] }
  | { readonly kind: 'literal'; readonly value: unknown }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[]; readonly at: number };

interface Token {
  readonly kind: 'path' | 'root' | 'literal' | 'word' | '|' | '(' | ')';
  readonly text: string;
  readonly value?: unknown;
  readonly at: number;
}

const tokenAt =
  /\s*(?:(?<path>\.(?:[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)?)|(?<root>\$(?:\.[A-Za-z_][\w-]*)*)|(?<text>"(?:[^"\\\n]|\\.)*")|(?<raw>`[^`]*`)|(?<number>-?\d+(?:\.\d+)?)|(?<word>[A-Za-z_]\w*)|(?<mark>[|()]))/y;

/** Reads `source` of `template` between two places. Throws {@link TemplateProblem}. */
export function parseExpression(template: string, from: number, to: number): Expression {
  const tokens = readTokens(template, from, to);
  let next = 0;
  let depth = 0;
  const fail = (at: number, message: string): never => {
    throw new TemplateProblem(template, at, message);
  };

  function pipeline(): Expression {
    let value = command(undefined);
    while (tokens[next]?.kind === '|') {
      next += 1;
      value = command(value);
    }
    return value;
  }

  /** A value, or a helper with its arguments; what comes through a pipe is the last of them. */
  function command(piped: Expression | undefined): Expression {
    const token = tokens[next] ?? fail(to, 'expected a value, such as .name');
    const isHelper = token.kind === 'word' && !isConstant(token.text);
    if (!isHelper) {
      if (piped) fail(token.at, `expected one of ${helperNames} after |`);
      const value = operand();
      if (tokens[next] !== undefined && tokens[next]?.kind !== '|' && tokens[next]?.kind !== ')')
        fail(tokens[next]!.at, `expected | or the end, not ${tokens[next]!.text}`);
      return value;
    }
    next += 1;
    const helper = Object.hasOwn(helpers, token.text) ? helpers[token.text] : undefined;
    if (!helper) {
      const near = findNearestNames(token.text, Object.keys(helpers), 1)[0];
      fail(
        token.at,
        `there is no helper ${token.text}; ${near ? `did you mean ${near}?` : `for a variable write {{ .${token.text} }}; helpers are ${helperNames}`}`,
      );
    }
    const args: Expression[] = [];
    for (let kind = tokens[next]?.kind; kind !== undefined && kind !== '|' && kind !== ')'; kind = tokens[next]?.kind)
      args.push(operand());
    if (piped) args.push(piped);
    const [least, most] = helper!.takes;
    if (args.length < least || args.length > most)
      fail(
        token.at,
        `${token.text} takes ${least === most ? least : `${least} or more`} values, not ${args.length}: ${helper!.usage}`,
      );
    return { kind: 'call', name: token.text, args, at: token.at };
  }

  function operand(): Expression {
    const token = tokens[next] ?? fail(to, 'expected a value, such as .name');
    next += 1;
    if (token.kind === 'path' || token.kind === 'root') {
      const keys = token.text.split('.').filter((key) => key !== '' && key !== '$');
      return { kind: 'path', from: token.kind === 'root' ? 'root' : 'dot', keys };
    }
    if (token.kind === 'literal') return { kind: 'literal', value: token.value };
    if (token.kind === 'word' && isConstant(token.text)) return { kind: 'literal', value: constants[token.text] };
    if (token.kind === '(') {
      depth += 1;
      if (depth > deepest) fail(token.at, `it is nested more than ${deepest} deep`);
      const value = pipeline();
      depth -= 1;
      if (tokens[next]?.kind !== ')') fail(tokens[next]?.at ?? to, 'expected )');
      next += 1;
      return value;
    }
    return fail(token.at, `expected a value, such as .name, not ${token.text}`);
  }

  const value = pipeline();
  const rest = tokens[next];
  if (rest) fail(rest.at, `expected the end, not ${rest.text}`);
  return value;
}

const deepest = 50;

const constants: Readonly<Record<string, unknown>> = { true: true, false: false, nil: undefined };

function isConstant(word: string): boolean {
  return Object.hasOwn(constants, word);
}

const helperNames = Object.keys(helpers).join(', ');

function readTokens(template: string, from: number, to: number): readonly Token[] {
  const tokens: Token[] = [];
  const source = template.slice(0, to);
  let at = from;
  while (source.slice(at).trim() !== '') {
    tokenAt.lastIndex = at;
    const found = tokenAt.exec(source);
    const start = at + (/^\s*/.exec(source.slice(at))?.[0].length ?? 0);
    if (!found?.groups)
      throw new TemplateProblem(template, start, `${JSON.stringify(source.slice(start, start + 10))} can't be read`);
    at = tokenAt.lastIndex;
    tokens.push(toToken(found.groups, start, template));
  }
  return tokens;
}

function toToken(groups: Readonly<Record<string, string | undefined>>, at: number, template: string): Token {
  const { path, root, text, raw, number, word, mark } = groups;
  if (path !== undefined) return { kind: 'path', text: path, at };
  if (root !== undefined) return { kind: 'root', text: root, at };
  if (text !== undefined) return { kind: 'literal', text, value: readString(text, at, template), at };
  if (raw !== undefined) return { kind: 'literal', text: raw, value: raw.slice(1, -1), at };
  if (number !== undefined) return { kind: 'literal', text: number, value: Number(number), at };
  if (word !== undefined) return { kind: 'word', text: word, at };
  return { kind: (mark ?? '|') as '|' | '(' | ')', text: mark ?? '', at };
}

function readString(text: string, at: number, template: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new TemplateProblem(template, at, `${text} has an escape that a string can't have`);
  }
}
