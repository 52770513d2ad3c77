import type { ToolSnapshot, AnyTool } from '../contracts/tools/tool.ts';
import type { ToolSource } from '../contracts/calls/source.ts';
import { checkOption, checkOptions } from '../options/check-options.ts';
import { arrayOf } from '../options/compound-kinds.ts';
import type { OptionTable } from '../options/option-kind.ts';
import { aFunction, aNumber, aString, objectWith } from '../options/option-kinds.ts';
import { isUnderProvider, lifecycleProvider } from '../names/provider-path.ts';
import { snapshotInOrder, type RegisteredTool } from '../registry/snapshot.ts';
import { createSearchToolsTool } from './search-tools-tool.ts';
import { definitionBytes, preferredWeight, selectByWeight, type ToolSelector } from './select-tools.ts';
import { createToolIndex, type FoundTool, type ToolIndex } from './tool-index.ts';

/** How the tools of a source are shown when they are too many to show all. */
export interface ToolSearchOptions {
  /** Bytes of definitions a model is sent at most, as JSON in UTF-8; below it all tools are shown. Default 8,000. */
  readonly maxBytes?: number;
  /**
   * What is shown from the beginning, as far as half of the bytes reach: tools by their names, before all others, and those of
   * providers by a prefix, with weight 1 where their preference says none. Default `['builtin', 'lifecycle']`.
   */
  readonly keep?: readonly string[];
  /** How the first tools are chosen; default: what `keep` names, then by the weight of their preference. */
  readonly selector?: ToolSelector;
  /** How many tools one search finds when the model names no number; default 5. */
  readonly maxResults?: number;
}

const sourceKind = objectWith<ToolSource>('a ToolSource', 'snapshot', 'visibleTo', 'dispatch');
const table: OptionTable<ToolSearchOptions> = {
  maxBytes: aNumber({ above: 0 }),
  keep: arrayOf(aString, 'a list of names and provider prefixes'),
  selector: aFunction,
  maxResults: aNumber({ above: 0 }),
};

/**
 * Makes a source that shows a few tools of another and lets the model find the rest with `search_tools`. What is found is
 * callable from the next turn on and stands after all that was shown before, so that the prompt's beginning never changes;
 * what was found first makes room when the bytes run out, and can still be called. One source serves one conversation.
 *
 * @throws HaftError `INVALID_OPTION` for options that can't work.
 */
export function createToolSearch(source: ToolSource, options: ToolSearchOptions = {}): ToolSource {
  checkOption('createToolSearch', 'source', source, sourceKind);
  checkOptions('createToolSearch', options, table, '{ maxBytes: 8000 }');
  const { maxBytes = 8_000, keep = ['builtin', lifecycleProvider], maxResults = 5 } = options;
  const select = options.selector ?? selectByWeight((tool, provider) => weightAmong(keep, tool, provider));
  const shown = createShownTools(maxBytes, select);
  let newest: ToolSnapshot | undefined;
  const everything = (): ToolSnapshot => newest ?? source.snapshot();
  const searchTools = createSearchToolsTool(
    {
      find: (query, limit) => shown.find(everything(), query, limit),
      count: () => everything().tools.length,
    },
    maxResults,
  );
  const view = (inner: ToolSnapshot): ToolSnapshot => shown.view((newest = inner), searchTools);
  const snapshot = (): ToolSnapshot => view(source.snapshot());
  return {
    snapshot,
    visibleTo: async (model) => view(await source.visibleTo(model)),
    dispatch: (call, context) => source.dispatch(call, { ...context, snapshot: context?.snapshot ?? snapshot() }),
    dispatchBatch: (calls, context) =>
      source.dispatchBatch(calls, { ...context, snapshot: context?.snapshot ?? snapshot() }),
  };
}

function weightAmong(keep: readonly string[], tool: AnyTool, provider: string): number {
  // What a program names goes before whatever tools say of themselves.
  if (keep.includes(tool.name)) return Number.MAX_VALUE;
  return preferredWeight(tool) ?? (keep.some((prefix) => isUnderProvider(provider, prefix)) ? 1 : 0);
}

interface ShownTools {
  /** What the model is shown of a snapshot; the same object while nothing changed. */
  view(inner: ToolSnapshot, searchTools: AnyTool): ToolSnapshot;
  find(inner: ToolSnapshot, query: string, limit: number): readonly FoundTool[];
}

/** Remembers what one conversation is shown: names in order, first those chosen, then those found. */
function createShownTools(maxBytes: number, select: ToolSelector): ShownTools {
  let first: readonly string[] | undefined;
  /** In the order of the finding; what was found again is not moved, for the prompt's sake. */
  const found = new Set<string>();
  let finds = 0;
  let last: { readonly inner: ToolSnapshot; readonly finds: number; readonly view: ToolSnapshot } | undefined;
  const indices = new WeakMap<ToolSnapshot, ToolIndex>();

  const makeView = (inner: ToolSnapshot, searchTools: AnyTool): ToolSnapshot => {
    if (first === undefined && sizeOf(inner.tools) <= maxBytes) return inner;
    // Half for what is shown always, so that what is found has room.
    first ??= select(inner, maxBytes / 2 - definitionBytes(searchTools)).map((tool) => tool.name);
    const always = first.flatMap((name) => inner.get(name) ?? []);
    const late = [...found].flatMap((name) =>
      always.some((tool) => tool.name === name) ? [] : (inner.get(name) ?? []),
    );
    const prefix = [searchTools, ...always];
    const recent = newestThatFit(late, maxBytes - sizeOf(prefix));
    return showPart(inner, prefix, recent, late);
  };

  return {
    view(inner, searchTools) {
      if (last?.inner !== inner || last.finds !== finds) last = { inner, finds, view: makeView(inner, searchTools) };
      return last.view;
    },
    find(inner, query, limit) {
      let index = indices.get(inner);
      if (index === undefined) indices.set(inner, (index = createToolIndex(inner.tools)));
      const results = index.search(query, limit);
      for (const { tool } of results) found.add(tool.name);
      finds += 1;
      return results;
    },
  };
}

function sizeOf(tools: readonly AnyTool[]): number {
  return tools.reduce((bytes, tool) => bytes + definitionBytes(tool), 0);
}

/** The last tools of a list that fit together, in its order. */
function newestThatFit(tools: readonly AnyTool[], bytes: number): readonly AnyTool[] {
  let from = tools.length;
  let room = bytes;
  for (; from > 0; from -= 1) {
    room -= definitionBytes(tools[from - 1]!);
    if (room < 0) break;
  }
  return tools.slice(from);
}

/** A snapshot that lists some tools and knows others as well, since a model may remember what it was shown. */
function showPart(
  inner: ToolSnapshot,
  prefix: readonly AnyTool[],
  suffix: readonly AnyTool[],
  known: readonly AnyTool[],
): ToolSnapshot {
  const place = (tool: AnyTool): RegisteredTool => ({
    name: tool.name,
    tool,
    provider: inner.providerFor(tool.name) ?? lifecycleProvider,
  });
  const sorted = [...prefix].sort((a, b) => (a.name < b.name ? -1 : 1));
  const shown = snapshotInOrder(inner.version, [...sorted, ...suffix].map(place));
  const byName = new Map(known.map((tool) => [tool.name, tool]));
  return {
    ...shown,
    get: (name) => shown.get(name) ?? byName.get(name),
    has: (name) => shown.has(name) || byName.has(name),
    providerFor: (name) => shown.providerFor(name) ?? (byName.has(name) ? inner.providerFor(name) : undefined),
  };
}
