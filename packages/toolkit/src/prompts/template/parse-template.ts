import { parseExpression, type Expression } from './expression.ts';
import { TemplateProblem } from './template-problem.ts';

/** A piece of a template. */
export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: Expression }
  | { readonly kind: 'if'; readonly branches: readonly TemplateBranch[]; readonly otherwise: readonly TemplateNode[] }
  | {
      readonly kind: 'range';
      readonly over: Expression;
      readonly body: readonly TemplateNode[];
      readonly otherwise: readonly TemplateNode[];
    };

/** One condition of an `if`, and what stands behind it. */
export interface TemplateBranch {
  readonly condition: Expression;
  readonly body: readonly TemplateNode[];
}

/** What is between two pairs of braces, and where. */
interface Action {
  readonly word: '' | 'if' | 'range' | 'else' | 'else if' | 'end';
  readonly at: number;
  readonly from: number;
  readonly to: number;
}
type Piece = string | Action;

const deepest = 50;

/** Reads a template. Throws {@link TemplateProblem} with the place of the first thing that can't be read. */
export function parseTemplate(template: string): readonly TemplateNode[] {
  const pieces = split(template);
  let next = 0;
  const fail = (at: number, message: string): never => {
    throw new TemplateProblem(template, at, message);
  };

  function body(opener: Action | undefined, depth: number): readonly TemplateNode[] {
    if (opener && depth > deepest) fail(opener.at, `it is nested more than ${deepest} deep`);
    const nodes: TemplateNode[] = [];
    for (let piece = pieces[next]; piece !== undefined; piece = pieces[next]) {
      if (typeof piece === 'string') {
        if (piece !== '') nodes.push({ kind: 'text', text: piece });
        next += 1;
        continue;
      }
      if (piece.word === 'end' || piece.word.startsWith('else')) {
        if (!opener) fail(piece.at, `{{ ${piece.word} }} has no {{ if }} or {{ range }} before it`);
        return nodes;
      }
      next += 1;
      if (piece.word === 'if') nodes.push(condition(piece, depth + 1));
      else if (piece.word === 'range') nodes.push(range(piece, depth + 1));
      else nodes.push({ kind: 'value', value: parseExpression(template, piece.from, piece.to) });
    }
    if (opener) fail(opener.at, `{{ ${opener.word} }} has no {{ end }}`);
    return nodes;
  }

  function condition(opener: Action, depth: number): TemplateNode {
    const branches: TemplateBranch[] = [];
    let otherwise: readonly TemplateNode[] = [];
    for (let branch: Action = opener; ;) {
      const isLast = branch.word === 'else';
      const test = isLast ? undefined : parseExpression(template, branch.from, branch.to);
      const inner = body(opener, depth);
      if (test) branches.push({ condition: test, body: inner });
      else otherwise = inner;
      const closer = pieces[next++] as Action;
      if (closer.word === 'end') return { kind: 'if', branches, otherwise };
      if (isLast) fail(closer.at, `nothing but {{ end }} can follow {{ else }}`);
      branch = closer;
    }
  }

  function range(opener: Action, depth: number): TemplateNode {
    const over = parseExpression(template, opener.from, opener.to);
    const inner = body(opener, depth);
    const closer = pieces[next++] as Action;
    if (closer.word === 'end') return { kind: 'range', over, body: inner, otherwise: [] };
    if (closer.word !== 'else') fail(closer.at, 'a {{ range }} takes {{ else }}, not {{ else if }}');
    const otherwise = body(opener, depth);
    const last = pieces[next++] as Action;
    if (last.word !== 'end') fail(last.at, 'nothing but {{ end }} can follow {{ else }}');
    return { kind: 'range', over, body: inner, otherwise };
  }

  return body(undefined, 0);
}

/** Cuts a template into text and actions. `{{-` and `-}}` take the blanks before and behind them along; comments vanish. */
function split(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let trimsNext = false;
  while (at < template.length) {
    const open = template.indexOf('{{', at);
    let text = template.slice(at, open < 0 ? undefined : open);
    if (trimsNext) text = text.trimStart();
    if (open < 0) {
      pieces.push(text);
      break;
    }
    const close = endOf(template, open + 2);
    const inside = template.slice(open + 2, close);
    const trimsBefore = /^-\s/.test(inside);
    trimsNext = /\s-$/.test(inside);
    pieces.push(trimsBefore ? text.trimEnd() : text);
    const from = open + 2 + (trimsBefore ? 1 : 0);
    const to = close - (trimsNext ? 1 : 0);
    const words = template.slice(from, to);
    if (!/^\s*\/\*[^]*\*\/\s*$/.test(words)) pieces.push(toAction(template, words, open, from, to));
    at = close + 2;
  }
  return pieces;
}

/** Where the braces close that are open at a place; those inside strings and comments do not. */
function endOf(template: string, from: number): number {
  const comment = /^-?\s*\/\*/.test(template.slice(from, from + 40)) ? template.indexOf('*/', from) : -1;
  let quote = '';
  for (let at = comment < 0 ? from : comment + 2; at < template.length; at += 1) {
    const character = template[at]!;
    if (quote === '') {
      if (template.startsWith('}}', at)) return at;
      if (character === '"' || character === '`') quote = character;
    } else if (character === '\\' && quote === '"') at += 1;
    else if (character === quote) quote = '';
    else if (character === '\n' && quote === '"') break;
  }
  throw new TemplateProblem(template, from - 2, 'the {{ has no }}');
}

function toAction(template: string, words: string, at: number, from: number, to: number): Action {
  const word = (/^\s*(else\s+if|if|range|else|end)(?![\w.])/.exec(words)?.[1] ?? '').replace(
    /\s+/,
    ' ',
  ) as Action['word'];
  const rest = from + (word === '' ? 0 : (/^\s*(?:else\s+if|if|range|else|end)/.exec(words)?.[0].length ?? 0));
  if ((word === 'else' || word === 'end') && template.slice(rest, to).trim() !== '')
    throw new TemplateProblem(
      template,
      at,
      `{{ ${word} }} takes nothing, but there is ${template.slice(rest, to).trim().slice(0, 40)}`,
    );
  return { word, at, from: rest, to };
}
