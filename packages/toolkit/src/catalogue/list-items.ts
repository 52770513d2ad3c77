import { integerKind, arrayOf, stringKind, checkOptions, either, oneOf, type OptionTable } from '@haft/core/options';
import type { ToolkitDiagnostic } from '../events.ts';
import { badParameter } from '../toolkit-error.ts';
import { compareText, type GatheredItems } from './gather-items.ts';
import type { PromptItem, ResourceItem, TemplateItem, ToolItem, ToolkitItem } from './item.ts';

/** Filters and paging of a list. An omitted member does not filter. */
export interface ListRequest {
  /** Types to list; default all three. Resource templates count as resources. */
  readonly type?: ItemType | readonly ItemType[];
  /** One or more namespaces. An unknown namespace matches nothing and causes a diagnostic. */
  readonly namespace?: string | readonly string[];
  /**
   * One or more names. `namespace.name` matches one item; a bare name matches in every namespace. Resources also match
   * by URI.
   */
  readonly name?: string | readonly string[];
  /** Maximum number of items; default unlimited. */
  readonly limit?: number;
  /** Number of items to skip, with or without a limit; default 0. */
  readonly offset?: number;
}

/** The types of items that can be listed. */
export type ItemType = 'tool' | 'prompt' | 'resource';

/** A page of items: tools first, then prompts, then resources, each sorted by key. */
export interface Listing {
  readonly tools: readonly ToolItem[];
  readonly prompts: readonly PromptItem[];
  readonly resources: readonly (ResourceItem | TemplateItem)[];
  /** Number of matching items before paging. */
  readonly count: number;
  readonly offset: number;
  readonly limit: number | undefined;
  /** Problems that occurred while listing. */
  readonly diagnostics: readonly ToolkitDiagnostic[];
}

const types: readonly ItemType[] = ['tool', 'prompt', 'resource'];
const text = either(stringKind, arrayOf(stringKind, 'an array of strings'));
const kinds = oneOf('tool', 'prompt', 'resource');
const table: OptionTable<ListRequest> = {
  type: either(kinds, arrayOf(kinds, 'an array of these')),
  namespace: text,
  name: text,
  limit: integerKind({ min: 0 }),
  offset: integerKind({ min: 0 }),
};

/**
 * Validates a list request.
 * @throws ToolkitError `BAD_PARAMETER` if the request is invalid.
 */
export function checkListRequest(request: ListRequest): void {
  checkOptions('list', request, table, '{ type: "tool" }', badParameter);
}

/** Filters, sorts and pages the items. */
export function listItems(request: ListRequest, gathered: GatheredItems): Listing {
  const { items } = gathered;
  const { limit, offset = 0 } = request;
  const wanted = asList(request.type) ?? types;
  const namespaces = asList(request.namespace);
  const names = asList(request.name);
  const fitting = items
    .filter((item) => wanted.includes(typeOf(item)))
    .filter(({ namespace }) => namespaces === undefined || namespaces.includes(namespace))
    .filter((item) => names === undefined || names.some((name) => isCalled(item, name)))
    .sort((a, b) => types.indexOf(typeOf(a)) - types.indexOf(typeOf(b)) || compareText(a.key, b.key));
  const page = fitting.slice(offset, limit === undefined ? undefined : offset + limit);
  return {
    tools: page.filter((item) => item.kind === 'tool'),
    prompts: page.filter((item) => item.kind === 'prompt'),
    resources: page.filter((item) => item.kind === 'resource' || item.kind === 'template'),
    count: fitting.length,
    offset,
    limit,
    diagnostics: [...gathered.diagnostics, ...findUnknown(namespaces, gathered.namespaces)],
  };
}

/** Reports unknown namespaces, which are usually misspelled. The rest of the list is still valid. */
function findUnknown(asked: readonly string[] = [], known: readonly string[]): readonly ToolkitDiagnostic[] {
  return asked
    .filter((name) => !known.includes(name))
    .map((name) => ({
      kind: 'unknown-namespace',
      namespace: name,
      message: `unknown namespace ${JSON.stringify(name.slice(0, 60))} (known: ${known.join(', ')})`,
      keys: known,
    }));
}

function typeOf({ kind }: ToolkitItem): ItemType {
  return kind === 'template' ? 'resource' : kind;
}

function isCalled(item: ToolkitItem, name: string): boolean {
  if (item.key === name || item.name === name) return true;
  if (item.kind === 'tool') return item.tool.name === name;
  return item.kind === 'resource' && item.resource.uri === name;
}

function asList<Value extends string>(given: Value | readonly Value[] | undefined): readonly Value[] | undefined {
  return typeof given === 'string' ? [given] : given;
}
