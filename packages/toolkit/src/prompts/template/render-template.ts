import type { Expression } from './expression.ts';
import { helpers, isTrue, printValue } from './helpers.ts';
import type { TemplateNode } from './parse-template.ts';

const longest = 1_000_000;
const mostSteps = 1_000_000;

interface Rendering {
  readonly root: unknown;
  readonly pieces: string[];
  length: number;
  steps: number;
}

/**
 * Writes a template with its variables. They are data: none of them is read as a template, and of objects only their own
 * members are seen. Throws a `RangeError` for more than a million characters or steps.
 */
export function renderTemplate(nodes: readonly TemplateNode[], variables: unknown): string {
  const rendering: Rendering = { root: variables, pieces: [], length: 0, steps: 0 };
  renderNodes(nodes, variables, rendering);
  return rendering.pieces.join('');
}

function renderNodes(nodes: readonly TemplateNode[], dot: unknown, rendering: Rendering): void {
  for (const node of nodes) {
    rendering.steps += 1;
    if (rendering.steps > mostSteps) throw new RangeError(`it takes more than ${mostSteps} steps`);
    if (node.kind === 'text') write(node.text, rendering);
    else if (node.kind === 'value') write(printValue(evaluate(node.value, dot, rendering.root)), rendering);
    else if (node.kind === 'if') {
      const branch = node.branches.find(({ condition }) => isTrue(evaluate(condition, dot, rendering.root)));
      renderNodes(branch ? branch.body : node.otherwise, dot, rendering);
    } else {
      const items = itemsOf(evaluate(node.over, dot, rendering.root));
      for (const item of items) renderNodes(node.body, item, rendering);
      if (items.length === 0) renderNodes(node.otherwise, dot, rendering);
    }
  }
}

function write(text: string, rendering: Rendering): void {
  rendering.length += text.length;
  if (rendering.length > longest) throw new RangeError(`it has more than ${longest} characters`);
  rendering.pieces.push(text);
}

function evaluate(expression: Expression, dot: unknown, root: unknown): unknown {
  if (expression.kind === 'literal') return expression.value;
  if (expression.kind === 'call')
    return helpers[expression.name]?.run(...expression.args.map((argument) => evaluate(argument, dot, root)));
  return expression.keys.reduce(memberOf, expression.from === 'root' ? root : dot);
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/** The items of a list, the values of an object; nothing of anything else. */
function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
