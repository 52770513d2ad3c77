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
interface Action {
  readonly word: string;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

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
      else if (opener) return all;
      else fail(piece.at, `{{ ${piece.word} }} without a preceding {{ if }} or {{ range }}`);
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
        const items = itemsOf(value(dot, root));
        for (const item of items) inner(item, root, write);
        if (items.length === 0) otherwise(dot, root, write);
      } else (branches.find(({ value }) => isTrue(value(dot, root)))?.inner ?? otherwise)(dot, root, write);
    };
  }

  const write = body(undefined, 0);
  return { names: [...names], render: (variables) => collect((take) => write(variables, variables, take)) };
}

/** Concatenates the written texts. */
function collect(work: (write: (text: string) => void) => void): string {
  const texts: string[] = [];
  let length = 0;
  work((text) => {
    length += text.length;
    if (texts.push(text) > maxSteps) throw new RangeError(`it takes more than ${maxSteps} steps`);
    if (length > longest) throw new RangeError(`it has more than ${longest} characters`);
  });
  return texts.join('');
}

/** Returns the items of an array or the values of an object. Returns an empty array for any other value. */
function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
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
  let found = part.exec(template);
  while (found !== null && found[0].length > 1 && found[0] !== '}}') found = part.exec(template);
  if (found?.[0] !== '}}') throw new TemplateProblem(template, from - 2, '{{ without }}');
  return found.index;
}
