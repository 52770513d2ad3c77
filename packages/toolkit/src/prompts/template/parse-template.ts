import { parseExpression, type Expression } from './expression.ts';
import { isTrue, printValue } from './helpers.ts';
import { TemplateProblem } from './template-problem.ts';

/** A parsed template. */
export interface Template {
  /**
   * Renders the template. Variables are data: they are never parsed as templates, and only own properties of objects
   * are visible. Throws a `RangeError` for more than a million characters or steps.
   */
  render(variables: unknown): string;
  /** The distinct variables in the template, in order of first use. Names inside a `range` belong to its items. */
  readonly names: readonly string[];
}

/** Renders a node of the template for the current value. */
type TemplateNode = (dot: unknown, root: unknown, write: (text: string) => void) => void;

/** The content between two pairs of braces, and its position. */
type Action = Readonly<Record<'at' | 'from' | 'to', number>> & { readonly word: string };

const deepest = 50;
const longest = 1_000_000;
const maxSteps = 1_000_000;

/** Parses a template. Throws {@link TemplateProblem} with the position of the first syntax error. */
export function parseTemplate(template: string): Template {
  const pieces = split(template);
  const names = new Set<string>();
  let next = 0;
  let ranges = 0;
  const fail = (at: number, message: string): never => {
    throw new TemplateProblem(template, at, message);
  };
  const expression = ({ from, to }: Action): Expression =>
    parseExpression(template, from, to, (name, isOfRoot) => void ((isOfRoot || ranges === 0) && names.add(name)));

  function body(opener: Action | undefined, depth: number): TemplateNode {
    if (opener && depth > deepest) fail(opener.at, `it is nested more than ${deepest} deep`);
    const nodes: TemplateNode[] = [];
    const all: TemplateNode = (dot, root, write) => {
      for (const node of nodes) node(dot, root, write);
    };
    for (; next < pieces.length; next += 1) {
      const piece = pieces[next]!;
      if (typeof piece === 'string') nodes.push((_dot, _root, write) => write(piece));
      else if (piece.word === '') {
        const value = expression(piece);
        nodes.push((dot, root, write) => write(printValue(value(dot, root))));
      } else if (piece.word === 'if' || piece.word === 'range') nodes.push(block(piece, depth + 1));
      else return opener ? all : fail(piece.at, `{{ ${piece.word} }} without a preceding {{ if }} or {{ range }}`);
    }
    return opener ? fail(opener.at, `{{ ${opener.word} }} without {{ end }}`) : all;
  }

  /** Parses a block up to its `{{ end }}`, which is the current segment afterwards. */
  function block(opener: Action, depth: number): TemplateNode {
    const isRange = opener.word === 'range';
    const branches: { readonly value: Expression; readonly inner: TemplateNode }[] = [];
    let otherwise: TemplateNode = () => {};
    for (let closer = opener; closer.word !== 'end'; closer = pieces[next] as Action) {
      next += 1;
      if (closer.word === 'else') {
        otherwise = body(opener, depth);
        const { word, at } = pieces[next] as Action;
        if (word !== 'end') fail(at, 'only {{ end }} can follow {{ else }}');
        continue;
      }
      if (closer !== opener && isRange) fail(closer.at, 'use {{ else }} with {{ range }}, not {{ else if }}');
      const value = expression(closer);
      if (isRange) ranges += 1;
      branches.push({ value, inner: body(opener, depth) });
      if (isRange) ranges -= 1;
    }
    return (dot, root, write) => {
      write('');
      if (isRange) {
        const [{ value, inner }] = branches as [(typeof branches)[number]];
        const list = value(dot, root);
        const items: readonly unknown[] = typeof list === 'object' && list !== null ? Object.values(list) : [];
        for (const item of items) inner(item, root, write);
        if (items.length === 0) otherwise(dot, root, write);
      } else (branches.find(({ value }) => isTrue(value(dot, root)))?.inner ?? otherwise)(dot, root, write);
    };
  }

  const node = body(undefined, 0);
  const render = (variables: unknown): string => {
    let text = '';
    let steps = 0;
    node(variables, variables, (more) => {
      text += more;
      if ((steps += 1) > maxSteps) throw new RangeError(`it takes more than ${maxSteps} steps`);
      if (text.length > longest) throw new RangeError(`it has more than ${longest} characters`);
    });
    return text;
  };
  return { names: [...names], render };
}

/** Splits a template into text and actions. `{{-` and `-}}` trim the adjacent whitespace. Comments are removed. */
function split(template: string): readonly (string | Action)[] {
  const pieces: (string | Action)[] = [];
  let rest = 0;
  let trimsNext = false;
  const addText = (end: number, trimsEnd: boolean): void => {
    const text = trimsNext ? template.slice(rest, end).trimStart() : template.slice(rest, end);
    if (text !== '') pieces.push(trimsEnd ? text.trimEnd() : text);
  };
  for (let at = template.indexOf('{{'); at >= 0; at = template.indexOf('{{', rest)) {
    const close = endOf(template, at + 2);
    const [, minus, words, last] = /^(-(?=\s))?([^]*?)((?<=\s)-)?$/.exec(template.slice(at + 2, close)) as string[];
    addText(at, minus !== undefined);
    trimsNext = last !== undefined;
    rest = close + 2;
    if (/^\s*\/\*[^]*\*\/\s*$/.test(words!)) continue;
    const [start, found = ''] = /^\s*(else\s+if|if|range|else|end)(?![\w.])/.exec(words!) ?? [''];
    const word = found.replace(/\s+/, ' ');
    const more = words!.slice(start.length).trim();
    if ((word === 'else' || word === 'end') && more !== '')
      throw new TemplateProblem(template, at, `{{ ${word} }} takes no argument, but got ${more.slice(0, 40)}`);
    const from = at + 2 + (minus?.length ?? 0);
    pieces.push({ word, at, from: from + start.length, to: from + words!.length });
  }
  addText(template.length, false);
  return pieces;
}

/** Returns the position of the closing braces of an action. Braces inside strings and comments are ignored. */
function endOf(template: string, from: number): number {
  const comment = /^-?\s*\/\*/.test(template.slice(from, from + 40)) ? template.indexOf('*/', from) : -1;
  const part = /"(?:[^"\\\n]|\\[^])*"|`[^`]*`|["`]|\}\}/g;
  part.lastIndex = comment < 0 ? from : comment + 2;
  for (let found = part.exec(template); found !== null && found[0].length > 1; found = part.exec(template))
    if (found[0] === '}}') return found.index;
  throw new TemplateProblem(template, from - 2, '{{ without }}');
}
