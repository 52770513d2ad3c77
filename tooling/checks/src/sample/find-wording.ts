import { parseSync, Visitor } from 'oxc-parser';

import { lineAt } from '../module-references.ts';

/** A text that people read, and its position. */
export interface Wording {
  /** `path:line`. */
  readonly where: string;
  readonly text: string;
}

/** The comments, error messages and test names of one or more files. */
export interface Wordings {
  readonly comments: readonly Wording[];
  readonly messages: readonly Wording[];
  readonly testNames: readonly Wording[];
}

/** Finds the comments, error messages (with their hints) and test names of a TypeScript file. */
export function findWording(path: string, text: string): Wordings {
  const { comments, program } = parseSync(path, text);
  const at = (start: number): string => `${path}:${lineAt(text, start)}`;
  if (!/\.test(?:-d)?\.ts$/.test(path)) {
    return { comments: findComments(comments, text, at), messages: findMessages(program, text, at), testNames: [] };
  }
  return { comments: findComments(comments, text, at), messages: [], testNames: findTestNames(program, text, at) };
}

interface CommentToken {
  readonly type: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Joins the line comments of a paragraph. Skips directives for tools, which are not prose. */
function findComments(
  tokens: readonly CommentToken[],
  text: string,
  at: (start: number) => string,
): readonly Wording[] {
  const found: { where: string; text: string; end: number; isLine: boolean }[] = [];
  for (const { type, value, start, end } of tokens) {
    const prose = value.replaceAll(/^[ \t]*\*+[ \t]?/gm, '').trim();
    if (!/\w \w/.test(prose) || /^(?:oxlint|@ts-|#)/.test(prose)) continue;
    const last = found.at(-1);
    const isLine = type === 'Line';
    if (isLine && last?.isLine === true && /^\s*$/.test(text.slice(last.end, start))) {
      last.text += ` ${prose}`;
      last.end = end;
    } else found.push({ where: at(start), text: prose, end, isLine });
  }
  return found.map(({ where, text: prose }) => ({ where, text: prose }));
}

type Program = ReturnType<typeof parseSync>['program'];

interface Expression {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Arguments of error constructors and of functions that create failures, and the members `message` and `hint`. */
function findMessages(program: Program, text: string, at: (start: number) => string): readonly Wording[] {
  const found = new Map<number, Wording>();
  const take = (node: Expression | null | undefined): void => {
    if (node?.type !== 'TemplateLiteral' && node?.type !== 'Literal') return;
    const source = text.slice(node.start, node.end);
    if (/^['"`].*\w \w/s.test(source)) found.set(node.start, { where: at(node.start), text: source });
  };
  const takeArguments = (callee: Expression, given: readonly Expression[]): void => {
    const name = text.slice(callee.start, callee.end).replace(/^.*\./s, '');
    if (/(?:error|fail|failure|problem|invalid|refuse|reject|misuse|fault)/i.test(name)) given.forEach(take);
  };
  new Visitor({
    NewExpression: ({ callee, arguments: given }) => takeArguments(callee, given),
    CallExpression: ({ callee, arguments: given }) => takeArguments(callee, given),
    Property: ({ key, value }) => {
      if (key.type === 'Identifier' && /^(?:message|hint)$/.test(key.name)) take(value);
    },
  }).visit(program);
  return [...found.values()];
}

/** Titles of `it` and `test`, each with the titles of the `describe` blocks around it. */
function findTestNames(program: Program, text: string, at: (start: number) => string): readonly Wording[] {
  const found: Wording[] = [];
  const around: { readonly title: string; readonly end: number }[] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: [title], start, end }) => {
      const runner = /^(?:describe|it|test)\b/.exec(text.slice(callee.start, callee.end))?.[0];
      if (runner === undefined || (title?.type !== 'Literal' && title?.type !== 'TemplateLiteral')) return;
      while ((around.at(-1)?.end ?? Infinity) < start) around.pop();
      const own = text.slice(title.start + 1, title.end - 1);
      if (runner === 'describe') around.push({ title: own, end });
      else found.push({ where: at(start), text: [...around.map((each) => each.title), own].join(' > ') });
    },
  }).visit(program);
  return found;
}
