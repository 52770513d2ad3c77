import { isResource, type AnyTool, type Prompt, type Resource, type ToolRegistry } from '@haft/core';
import type { EventQueue } from '../events.ts';
import { builtinNamespace, checkItemName, namespaceOf, reservedNames } from '../namespaces.ts';
import { checkResourceName, checkUri } from '../resources/define-resource.ts';
import { isResourceTemplate, type ResourceTemplate } from '../resources/resource-template.ts';
import { ToolkitError } from '../toolkit-error.ts';
import { isPrompt } from './gather-items.ts';
import type { Namespace } from './item.ts';

/** The program's own items: the namespace `builtin`. */
export interface OwnItems extends Namespace {
  addTool(...tools: readonly AnyTool[]): void;
  addPrompt(...prompts: readonly Prompt[]): void;
  addResource(...resources: readonly (Resource | ResourceTemplate)[]): void;
  remove(key: string): void;
}

const ownProvider = 'local';
const builtinProvider = 'builtin';

/**
 * Creates the program's own namespace. Its tools are stored in the registry. Each batch is added completely or not at
 * all.
 */
export function createOwnItems(registry: ToolRegistry, events: EventQueue): OwnItems {
  const prompts = new Map<string, Prompt>();
  const resources = new Map<string, Resource | ResourceTemplate>();
  const added = new Set<string>();

  return {
    name: builtinNamespace,
    kind: 'builtin',
    prompts: () => [...prompts.values()],
    resources: () => [...resources.values()],
    addTool(...tools) {
      checkUnique(
        'tool',
        tools.map((tool) => tool?.name),
        (name) => added.has(name) && registry.has(name),
      );
      for (const tool of tools) checkTool(tool);
      const hiding = tools.filter(({ name }) => registry.providerFor(name) === builtinProvider);
      registry.batch((draft) => {
        for (const tool of tools) draft.registerWithProvider(tool, tool.provider ?? ownProvider);
      });
      for (const { name } of tools) added.add(name);
      for (const { name } of hiding)
        events.emit({
          type: 'diagnostic',
          diagnostic: { kind: 'hidden-tool', message: hidesBuiltin(name), keys: [name] },
        });
    },
    addPrompt(...given) {
      for (const prompt of given) {
        if (!isPrompt(prompt))
          throw new ToolkitError(
            'BAD_PARAMETER',
            'addPrompt: the prompt must come from definePrompt or readPrompt; load files with await loadPrompts(path)',
          );
        checkItemName('prompt', prompt.name);
      }
      checkUnique(
        'prompt',
        given.map(({ name }) => name),
        (name) => prompts.has(name),
      );
      for (const prompt of given) prompts.set(prompt.name, prompt);
      if (given.length > 0) events.emit({ type: 'prompt-list-changed', namespace: builtinNamespace });
    },
    addResource(...given) {
      for (const resource of given) checkResource(resource);
      checkUnique('resource', given.map(addressOf), () => false);
      const updated = given.filter((resource) => resources.has(addressOf(resource)));
      for (const resource of given) resources.set(addressOf(resource), resource);
      if (updated.length < given.length) events.emit({ type: 'resource-list-changed', namespace: builtinNamespace });
      for (const resource of updated)
        events.emit({ type: 'resource-updated', namespace: builtinNamespace, uri: addressOf(resource) });
    },
    remove(key) {
      const provider = registry.providerFor(key);
      if (provider !== undefined && provider !== 'lifecycle' && namespaceOf(provider).kind === 'builtin') {
        registry.batch((draft) => draft.unregister(key, provider));
        added.delete(key);
      } else if (prompts.delete(key)) events.emit({ type: 'prompt-list-changed', namespace: builtinNamespace });
      else if (resources.delete(key)) events.emit({ type: 'resource-list-changed', namespace: builtinNamespace });
      else throw new ToolkitError('NOT_FOUND', `removeBuiltin: the program added nothing named ${JSON.stringify(key)}`);
    },
  };
}

function hidesBuiltin(name: string): string {
  return `the tool ${name} hides the built-in tool of that name: rename it, or leave the built-in tool out with builtins: { include: [...] }, which lists the tools to keep`;
}

function checkUnique(kind: string, names: readonly unknown[], isTaken: (name: string) => boolean): void {
  names.forEach((name, index) => {
    if (typeof name !== 'string' || (!isTaken(name) && names.indexOf(name) === index)) return;
    throw new ToolkitError('CONFLICT', `the ${kind} ${JSON.stringify(name)} exists already; remove it first`);
  });
}

function checkTool(tool: AnyTool): void {
  if (Array.isArray(tool))
    throw new ToolkitError('BAD_PARAMETER', 'addTool: pass the tools one by one: addTool(...tools)');
  if (typeof tool?.name !== 'string' || typeof tool.execute !== 'function')
    throw new ToolkitError('BAD_PARAMETER', 'addTool: the tool must come from defineTool');
  // Output tools have no effects, so a tool that is not pure cannot be one.
  if (reservedNames.includes(tool.name) && !tool.traits.pure)
    throw new ToolkitError('BAD_PARAMETER', `the name ${tool.name} is reserved`);
  if (tool.provider !== undefined && namespaceOf(tool.provider).kind !== 'builtin')
    throw new ToolkitError(
      'BAD_PARAMETER',
      `${tool.name} claims the provider ${tool.provider}, which only that provider may use`,
    );
}

function checkResource(resource: Resource | ResourceTemplate): void {
  if (!isResource(resource) && !isResourceTemplate(resource))
    throw new ToolkitError(
      'BAD_PARAMETER',
      'addResource: the argument must be { uri, name, type, read } or a resource template',
    );
  checkResourceName(resource.name);
  if (!isResourceTemplate(resource)) checkUri(resource.uri);
}

function addressOf(resource: Resource | ResourceTemplate): string {
  return isResourceTemplate(resource) ? resource.uriTemplate : resource.uri;
}
