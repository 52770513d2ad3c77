import type { ToolSnapshot, AnyTool } from '../contracts/tools/tool.ts';
import type { ToolSource } from '../contracts/calls/source.ts';
import { checkOption, checkOptions } from '../options/check-options.ts';
import { arrayOf } from '../options/compound-kinds.ts';
import type { OptionTable } from '../options/option-kind.ts';
import { functionKind, numberKind, stringKind, objectWith } from '../options/option-kinds.ts';
import { isUnderProvider, lifecycleProvider } from '../names/provider-path.ts';
import { snapshotInOrder, type RegisteredTool } from '../registry/snapshot.ts';
import { createSearchToolsTool } from './search-tools-tool.ts';
import { definitionBytes, preferredWeight, selectByWeight, type ToolSelector } from './select-tools.ts';
import { createToolIndex, type FoundTool, type ToolIndex } from './tool-index.ts';

/** Options for showing a subset of a source's tools. */
export interface ToolSearchOptions {
  /**
   * Maximum size of the tool definitions sent to a model, in bytes of UTF-8 JSON. If all definitions fit, all tools are
   * shown. Default: 8,000.
   */
  readonly maxBytes?: number;
  /**
   * Tools to show from the start, using up to half of the bytes. Tools listed by name come first. A provider prefix
   * gives its tools weight 1 unless their preference sets another weight. Default: `['builtin', 'lifecycle']`.
   */
  readonly keep?: readonly string[];
  /** Selects the initial tools. Default: the tools in `keep`, then by the weight of their preference. */
  readonly selector?: ToolSelector;
  /** Maximum number of results per search if the model does not specify one. Default: 5. */
  readonly maxResults?: number;
}

const sourceKind = objectWith<ToolSource>('a ToolSource', 'snapshot', 'visibleTo', 'dispatch');
const table: OptionTable<ToolSearchOptions> = {
  maxBytes: numberKind({ above: 0 }),
  keep: arrayOf(stringKind, 'a list of names and provider prefixes'),
  selector: functionKind,
  maxResults: numberKind({ above: 0 }),
};

/**
 * Creates a source that shows some tools of another source and lets the model find the rest with `search_tools`. Found
 * tools are callable from the next turn on. They are listed after all tools shown before, so that the prompt prefix
 * stays the same. When the byte limit is reached, the tools found first are no longer shown but remain callable. Use
 * one source per conversation.
 *
 * @throws HaftError `INVALID_OPTION` if an option is invalid.
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
  // Explicit names take precedence over the tools' own weights.
  if (keep.includes(tool.name)) return Number.MAX_VALUE;
  return preferredWeight(tool) ?? (keep.some((prefix) => isUnderProvider(provider, prefix)) ? 1 : 0);
}

interface ShownTools {
  /** Returns the part of a snapshot to show to the model. Returns the same object until something changes. */
  view(inner: ToolSnapshot, searchTools: AnyTool): ToolSnapshot;
  find(inner: ToolSnapshot, query: string, limit: number): readonly FoundTool[];
}

/** Tracks the tools shown in one conversation, in order: the initial tools, then the found ones. */
function createShownTools(maxBytes: number, select: ToolSelector): ShownTools {
  let first: readonly string[] | undefined;
  /**
   * In the order in which tools were found. Finding a tool again does not move it, to keep the prompt prefix stable.
   */
  const found = new Set<string>();
  let finds = 0;
  let last: { readonly inner: ToolSnapshot; readonly finds: number; readonly view: ToolSnapshot } | undefined;
  const indices = new WeakMap<ToolSnapshot, ToolIndex>();

  const makeView = (inner: ToolSnapshot, searchTools: AnyTool): ToolSnapshot => {
    if (first === undefined && sizeOf(inner.tools) <= maxBytes) return inner;
    // The initial tools get half of the bytes, so that found tools have room.
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

/** The bytes of a JSON array with these definitions: its brackets and commas count. */
function sizeOf(tools: readonly AnyTool[]): number {
  return tools.reduce((bytes, tool) => bytes + definitionBytes(tool) + comma, 1);
}

const comma = 1;

/** Returns as many of the last tools in a list as fit, in list order. */
function newestThatFit(tools: readonly AnyTool[], bytes: number): readonly AnyTool[] {
  let from = tools.length;
  let room = bytes;
  for (; from > 0; from -= 1) {
    room -= definitionBytes(tools[from - 1]!) + comma;
    if (room < 0) break;
  }
  return tools.slice(from);
}

/**
 * Returns a snapshot that lists some tools but also resolves the others, because a model may remember tools that it was
 * shown earlier.
 */
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
    providerFor: (name) =>
      shown.providerFor(name) ?? (byName.has(name) || inner.unavailable?.(name) ? inner.providerFor(name) : undefined),
    unavailable: inner.unavailable,
  };
}
