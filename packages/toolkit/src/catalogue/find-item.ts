import { findNearestNames, type ToolError } from '@haft/core';
import { createOutputTool, outputToolName } from '@haft/runner';
import { builtinNamespace } from '../namespaces.ts';
import type { ToolkitDiagnostic } from '../events.ts';
import { ToolkitError } from '../toolkit-error.ts';
import type { GatheredItems } from './gather-items.ts';
import { toResourceItem } from './gather-items.ts';
import type { PromptItem, ResourceItem, ToolItem, ToolkitItem } from './item.ts';

/** The item for a name or URI, or an error with similar names. */
export type LookupResult =
  | {
      readonly ok: true;
      readonly item: ToolItem | PromptItem | ResourceItem;
      readonly diagnostics: readonly ToolkitDiagnostic[];
    }
  | { readonly ok: false; readonly error: ToolError; readonly diagnostics: readonly ToolkitDiagnostic[] };

type Found = ToolItem | PromptItem | ResourceItem;

/**
 * Finds the item for a key. The key is tried in this order: `namespace.name`, `uri#namespace`, a name (also
 * `connection_tool`), a URI. If several items match, the first is returned and a diagnostic lists the others.
 * @throws ToolkitError `BAD_PARAMETER` if the key is not a string.
 */
export function findItem(key: string, { items, diagnostics }: GatheredItems): LookupResult {
  if (typeof key !== 'string') throw new ToolkitError('BAD_PARAMETER', 'lookup: the key must be a name or a URI');
  for (const step of steps) {
    const [item, ...others] = step(key, items);
    if (!item) continue;
    if (others.length === 0) return { ok: true, item, diagnostics };
    const keys = [item, ...others].map((each) => each.key);
    const message = `${shown(key)} means ${keys[0]}; other matches: ${keys.slice(1).join(', ')}`;
    return { ok: true, item, diagnostics: [...diagnostics, { kind: 'ambiguous', message, keys }] };
  }
  // The output tool is always found, even if it has not been added.
  if (key === outputToolName) return { ok: true, item: outputTool(), diagnostics };
  return { ok: false, error: notFound(key, items), diagnostics };
}

const steps: readonly ((key: string, items: readonly ToolkitItem[]) => readonly Found[])[] = [
  (key, items) => {
    const dot = key.indexOf('.');
    return dot < 1 ? [] : named(key.slice(dot + 1), items, key.slice(0, dot));
  },
  (key, items) => {
    const mark = key.lastIndexOf('#');
    return mark < 1 ? [] : located(key.slice(0, mark), items, key.slice(mark + 1));
  },
  (key, items) => named(key, items),
  (key, items) => located(key, items),
];

function named(name: string, items: readonly ToolkitItem[], namespace?: string): readonly Found[] {
  return items.filter(
    (item): item is ToolItem | PromptItem =>
      (namespace === undefined || item.namespace === namespace) &&
      (item.kind === 'tool'
        ? item.name === name || item.tool.name === name
        : item.kind === 'prompt' && item.name === name),
  );
}

/** Finds resources by URI. Resources with exactly this URI come before resources from a template. */
function located(uri: string, items: readonly ToolkitItem[], namespace?: string): readonly Found[] {
  const here = items.filter((item) => namespace === undefined || item.namespace === namespace);
  const exact = here.filter((item): item is ResourceItem => item.kind === 'resource' && item.resource.uri === uri);
  const made = here.flatMap((item): readonly Found[] => {
    const resource = item.kind === 'template' ? item.template.resolve(uri) : undefined;
    const found = resource && toResourceItem(item.namespace, resource);
    return found?.kind === 'resource' ? [found] : [];
  });
  return [...exact, ...made];
}

function outputTool(): ToolItem {
  const tool = createOutputTool({ type: 'object' });
  return { kind: 'tool', namespace: builtinNamespace, name: tool.name, key: `${builtinNamespace}.${tool.name}`, tool };
}

function notFound(key: string, items: readonly ToolkitItem[]): ToolError {
  const names = new Set(
    items.flatMap((item) => (item.kind === 'tool' ? [item.name, item.tool.name, item.key] : [item.name, item.key])),
  );
  const near = findNearestNames(key.slice(0, 200), [...names], 3);
  return {
    code: 'NOT_FOUND',
    fault: 'model',
    retryable: false,
    message: `${shown(key)} was not found`,
    ...(near.length === 0 ? {} : { hint: `Use one of ${near.join(', ')}.` }),
  };
}

function shown(key: string): string {
  return JSON.stringify(key.length > 120 ? `${key.slice(0, 120)}…` : key);
}
