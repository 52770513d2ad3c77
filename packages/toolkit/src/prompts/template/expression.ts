import { findNearestNames } from '@haft/core';
import { helpers } from './helpers.ts';
import { TemplateProblem } from './template-problem.ts';

/** Evaluates the expression between two pairs of braces, for the current value and the root variables. */
export type Expression = (dot: unknown, root: unknown) => unknown;

interface Token {
  readonly kind: string;
  readonly text: string;
  readonly at: number;
}

const tokenAt =
  /\s*(?:(?<path>\.(?:[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)?|\$(?:\.[A-Za-z_][\w-]*)*)|(?<text>"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|(?<raw>`[^`]*`)|(?<number>-?\d+(?:\.\d+)?)|(?<constant>(?:true|false|nil)(?!\w))|(?<word>[A-Za-z_]\w*)|(?<mark>[|()]))/uy;
const deepest = 50;
const helperNames = Object.keys(helpers).join(', ');

/**
 * Parses the expression in a range of the template. `onName` receives the first key of each path and whether the path
 * starts at the root. Throws {@link TemplateProblem}.
 */
export function parseExpression(
  template: string,
  from: number,
  to: number,
  onName: (name: string, isOfRoot: boolean) => void,
): Expression {
  const fail = (at: number, message: string): never => {
    throw new TemplateProblem(template, at, message);
  };
  const tokens = readTokens(template.slice(0, to), from, fail);
  let next = 0;
  let depth = 0;
  const isEnd = (): boolean => ['|', ')', undefined].includes(tokens[next]?.text);
  const take = (): Token => tokens[next++] ?? fail(to, 'expected a value, such as .name');

  function pipeline(): Expression {
    let value = command(undefined);
    for (; tokens[next]?.text === '|'; value = command(value)) next += 1;
    return value;
  }

  /** Parses a value, or a helper with its arguments. A piped value becomes the last argument. */
  function command(piped: Expression | undefined): Expression {
    const token = take();
    const { kind, text, at } = token;
    if (kind !== 'word') {
      if (piped) fail(at, `expected one of ${helperNames} after |`);
      const value = operand(token);
      return isEnd() ? value : fail(tokens[next]!.at, `expected | or the end, got ${tokens[next]!.text}`);
    }
    const helper = Object.hasOwn(helpers, text) ? helpers[text]! : undefined;
    if (!helper) {
      const near = findNearestNames(text, Object.keys(helpers), 1)[0];
      const advice = near ? `did you mean ${near}?` : `write a variable as {{ .${text} }}; helpers are ${helperNames}`;
      return fail(at, `unknown helper ${text}; ${advice}`);
    }
    const args: Expression[] = [];
    while (!isEnd()) args.push(operand(take()));
    if (piped) args.push(piped);
    const [least, most] = helper.takes;
    const takes = least === most ? least : `${least} or more`;
    if (args.length >= least && args.length <= most)
      return (dot, root) => helper.run(...args.map((argument) => argument(dot, root)));
    return fail(at, `${text} takes ${takes} values, not ${args.length}: ${helper.usage}`);
  }

  function operand({ kind, text, at }: Token): Expression {
    if (kind === 'path') {
      const keys = text.split('.').filter((key) => key !== '' && key !== '$');
      const isOfRoot = text.startsWith('$');
      if (keys[0] !== undefined) onName(keys[0], isOfRoot);
      return (dot, root) => keys.reduce(memberOf, isOfRoot ? root : dot);
    }
    if (Object.hasOwn(literals, kind)) {
      const value = literals[kind]!(text);
      return () => value;
    }
    if (text !== '(') return fail(at, `expected a value such as .name, got ${text}`);
    depth += 1;
    if (depth > deepest) fail(at, `it is nested more than ${deepest} deep`);
    const inner = pipeline();
    depth -= 1;
    if (tokens[next]?.text !== ')') fail(tokens[next]?.at ?? to, 'expected )');
    next += 1;
    return inner;
  }

  const value = pipeline();
  const rest = tokens[next];
  return rest ? fail(rest.at, `expected the end, got ${rest.text}`) : value;
}

const literals: Readonly<Record<string, (text: string) => unknown>> = {
  text: (text) => JSON.parse(text),
  raw: (text) => text.slice(1, -1),
  number: Number,
  constant: (text) => (text === 'nil' ? undefined : text === 'true'),
};

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function readTokens(source: string, from: number, fail: (at: number, message: string) => never): readonly Token[] {
  const tokens: Token[] = [];
  const end = source.trimEnd().length;
  for (let at = from; at < end; at = tokenAt.lastIndex) {
    tokenAt.lastIndex = at;
    const groups = tokenAt.exec(source)?.groups;
    const start = at + /^\s*/.exec(source.slice(at))![0].length;
    if (!groups) return fail(start, `${JSON.stringify(source.slice(start, start + 10))} is not valid`);
    const [kind, text] = Object.entries(groups).find(([, found]) => found !== undefined)!;
    tokens.push({ kind, text, at: start });
  }
  return tokens;
}
