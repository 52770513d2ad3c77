import { isResource, type Prompt, type Resource, type ToolSnapshot } from '@haft/core';
import { describeCause } from '@haft/core/results';
import type { ToolkitDiagnostic } from '../events.ts';
import { bareName, namespaceOf, type NamespaceKind } from '../namespaces.ts';
import { isResourceTemplate, type ResourceTemplate } from '../resources/resource-template.ts';
import type { Namespace, PromptItem, ResourceItem, TemplateItem, ToolItem, ToolkitItem } from './item.ts';

/** All items in lookup order, and diagnostics for the items that could not be listed. */
export interface GatheredItems {
  readonly items: readonly ToolkitItem[];
  readonly diagnostics: readonly ToolkitDiagnostic[];
  /** The names of all namespaces in lookup order. */
  readonly namespaces: readonly string[];
}

/** Maximum time to list a namespace, in milliseconds. */
const patienceMs = 5_000;

/**
 * Lists the items of every namespace. The order is: the program, connections in the order in which they were added,
 * plugins by name, generated tools, the user. Within a namespace, the order is: tools, prompts, resources. A namespace
 * that fails or times out does not affect the others.
 */
export async function gatherItems(snapshot: ToolSnapshot, namespaces: readonly Namespace[]): Promise<GatheredItems> {
  const tools = groupTools(snapshot);
  const listed = new Map(namespaces.map((namespace) => [namespace.name, namespace]));
  const order = [...tools.values(), ...namespaces]
    .filter((each, index, all) => all.findIndex(({ name }) => name === each.name) === index)
    .sort((a, b) => rankOf(a, namespaces) - rankOf(b, namespaces) || compareText(a.name, b.name));
  const diagnostics: ToolkitDiagnostic[] = [];
  const parts = await Promise.all(
    order.map(async ({ name }) => [
      ...(tools.get(name)?.items ?? []),
      ...(await readNamespace(listed.get(name), diagnostics)),
    ]),
  );
  return { items: parts.flat(), diagnostics, namespaces: order.map(({ name }) => name) };
}

/** Compares strings by UTF-16 code units, independent of the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface ToolGroup {
  readonly name: string;
  readonly kind: NamespaceKind;
  readonly items: ToolItem[];
}

const grouped = new WeakMap<ToolSnapshot, ReadonlyMap<string, ToolGroup>>();

function groupTools(snapshot: ToolSnapshot): ReadonlyMap<string, ToolGroup> {
  const known = grouped.get(snapshot);
  if (known) return known;
  const groups = new Map<string, ToolGroup>();
  for (const tool of snapshot.tools) {
    const { name: namespace, kind } = namespaceOf(snapshot.providerFor(tool.name) ?? '');
    const group = groups.get(namespace) ?? { name: namespace, kind, items: [] };
    groups.set(namespace, group);
    const name = bareName(namespace, kind, tool.name);
    group.items.push({ kind: 'tool', namespace, name, key: `${namespace}.${name}`, tool });
  }
  grouped.set(snapshot, groups);
  return groups;
}

const kinds: readonly NamespaceKind[] = ['builtin', 'connection', 'plugin', 'generated', 'user'];

function rankOf(
  { name, kind }: { readonly name: string; readonly kind: NamespaceKind },
  namespaces: readonly Namespace[],
): number {
  const place = kind === 'connection' ? namespaces.findIndex((each) => each.name === name) : 0;
  return kinds.indexOf(kind) * 1_000_000 + (place < 0 ? namespaces.length : place);
}

async function readNamespace(
  namespace: Namespace | undefined,
  diagnostics: ToolkitDiagnostic[],
): Promise<readonly ToolkitItem[]> {
  if (!namespace) return [];
  const { name } = namespace;
  const ask = async <Entry>(
    what: string,
    list: () => readonly Entry[] | Promise<readonly Entry[]>,
  ): Promise<readonly Entry[]> => {
    try {
      const given = list();
      return given instanceof Promise ? await withinPatience(given) : given;
    } catch (cause) {
      const message = `the ${what} of ${name} could not be listed: ${describeCause(cause)}`;
      diagnostics.push({ kind: 'namespace-failed', namespace: name, message });
      return [];
    }
  };
  const [prompts, resources] = await Promise.all([
    ask('prompts', () => namespace.prompts()),
    ask('resources', () => namespace.resources()),
  ]);
  const items: ToolkitItem[] = [];
  const refuse = (entry: unknown): void => {
    const { problem } = (entry ?? {}) as { readonly problem?: unknown };
    const message = typeof problem === 'string' ? problem : 'it lists an item that is neither a prompt nor a resource';
    diagnostics.push({ kind: 'invalid-item', namespace: name, message: `${name}: ${message}` });
  };
  for (const prompt of prompts) {
    if (isPrompt(prompt)) items.push(toPromptItem(name, prompt));
    else refuse(prompt);
  }
  for (const resource of resources) {
    if (isResource(resource) || isResourceTemplate(resource)) items.push(toResourceItem(name, resource));
    else refuse(resource);
  }
  return items;
}

/** Creates an item from a prompt and its namespace. */
export function toPromptItem(namespace: string, prompt: Prompt): PromptItem {
  return { kind: 'prompt', namespace, name: prompt.name, key: `${namespace}.${prompt.name}`, prompt };
}

/** Creates an item from a resource or template and its namespace. */
export function toResourceItem(namespace: string, resource: Resource | ResourceTemplate): ResourceItem | TemplateItem {
  const { name } = resource;
  if (isResourceTemplate(resource))
    return { kind: 'template', namespace, name, key: `${resource.uriTemplate}#${namespace}`, template: resource };
  return { kind: 'resource', namespace, name, key: `${resource.uri}#${namespace}`, resource };
}

/** Checks whether a value can be used as a prompt. */
export function isPrompt(value: unknown): value is Prompt {
  if (typeof value !== 'object' || value === null) return false;
  const { name, variables, prepare } = value as Partial<Record<keyof Prompt, unknown>>;
  return typeof name === 'string' && Array.isArray(variables) && typeof prepare === 'function';
}

async function withinPatience<Value>(given: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs / 1_000} s`)), patienceMs);
    timer.unref();
  });
  try {
    return await Promise.race([given, late]);
  } finally {
    clearTimeout(timer);
  }
}
