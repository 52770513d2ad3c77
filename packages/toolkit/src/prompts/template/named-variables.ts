import type { Expression } from './expression.ts';
import type { TemplateNode } from './parse-template.ts';

/** The variables that a template names, in the order in which it does, each once. What stands inside a `range` names its items. */
export function listNamedVariables(nodes: readonly TemplateNode[]): readonly string[] {
  const names = new Set<string>();
  for (const node of nodes) collect(node, names, false);
  return [...names];
}

function collect(node: TemplateNode, names: Set<string>, isInside: boolean): void {
  if (node.kind === 'value') collectNames(node.value, names, isInside);
  if (node.kind === 'if') {
    for (const { condition, body } of node.branches) {
      collectNames(condition, names, isInside);
      for (const each of body) collect(each, names, isInside);
    }
    for (const each of node.otherwise) collect(each, names, isInside);
  }
  if (node.kind === 'range') {
    collectNames(node.over, names, isInside);
    for (const each of node.body) collect(each, names, true);
    for (const each of node.otherwise) collect(each, names, isInside);
  }
}

function collectNames(expression: Expression, names: Set<string>, isInside: boolean): void {
  if (expression.kind === 'call') for (const each of expression.args) collectNames(each, names, isInside);
  if (expression.kind !== 'path' || (isInside && expression.from === 'dot')) return;
  const [name] = expression.keys;
  if (name !== undefined) names.add(name);
}
