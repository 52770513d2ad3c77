import type { ToolSnapshot, AnyTool } from '../contracts/tools/tool.ts';

/** A tool with its registered name and provider. */
export interface RegisteredTool {
  readonly name: string;
  readonly tool: AnyTool;
  readonly provider: string;
}

/** Finds an entry by name. */
type Find = (name: string) => RegisteredTool | undefined;

/** Internal data from which the next snapshot is created. */
interface Inside {
  readonly entries: readonly RegisteredTool[];
  readonly index: NameIndex | undefined;
}

/** Maximum number of changes for which entries are moved one at a time. */
const fewChanges = 64;
const insides = new WeakMap<ToolSnapshot, Inside>();

/** Creates an immutable snapshot. Sorts the tools by the UTF-16 code units of their names. */
export function createSnapshot(
  version: number,
  entries: Iterable<RegisteredTool>,
  findUnavailable?: Find,
): ToolSnapshot {
  const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return build(version, sorted, new NameIndex(version, sorted), findUnavailable);
}

/** Creates an immutable snapshot that keeps the given order. */
export function snapshotInOrder(version: number, entries: readonly RegisteredTool[]): ToolSnapshot {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return wrap(version, { entries, index: undefined }, (name) => byName.get(name));
}

/**
 * Creates the successor of a snapshot made by {@link createSnapshot}. `undefined` removes a name. The cost is the
 * number of changes plus a copy of the list.
 */
export function changeSnapshot(
  before: ToolSnapshot,
  version: number,
  changes: ReadonlyMap<string, RegisteredTool | undefined>,
): ToolSnapshot {
  const { entries, index } = insides.get(before)!;
  const next = changes.size <= fewChanges ? moveFew(entries, changes) : moveMany(entries, changes);
  if (!index || index.isOld) return build(version, next, new NameIndex(version, next));
  for (const [name, entry] of changes) index.set(name, version, entry);
  return build(version, next, index);
}

/**
 * Returns a snapshot of the tools that pass a test, in the same order. Returns the same object if all tools pass.
 *
 * @example
 * import { createDispatcher, defineTool } from '@haft/core';
 * import { filterSnapshot } from '@haft/core/registry';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * const { snapshot } = createDispatcher({ registry: [ping] });
 * filterSnapshot(snapshot(), ({ name }) => name !== 'ping').tools.length; // => 0
 */
export function filterSnapshot(
  snapshot: ToolSnapshot,
  keep: (tool: AnyTool, provider: string) => boolean,
): ToolSnapshot {
  const kept: RegisteredTool[] = [];
  const hidden = new Set<string>();
  snapshot.tools.forEach((tool, position) => {
    const name = snapshot.names[position] ?? tool.name;
    const provider = snapshot.providerFor(name) ?? '';
    if (keep(tool, provider)) kept.push({ name, tool, provider });
    else hidden.add(name);
  });
  const { unavailable } = snapshot;
  if (hidden.size === 0 && !unavailable) return snapshot;
  const entryOf = (name: string, tool: AnyTool | undefined): RegisteredTool | undefined =>
    tool && { name, tool, provider: snapshot.providerFor(name) ?? '' };
  const findUnavailable = (name: string): RegisteredTool | undefined => {
    const entry = entryOf(name, unavailable?.(name));
    return entry && keep(entry.tool, entry.provider) ? entry : undefined;
  };
  // Lookups use the index of the full snapshot, because a new index would cost as much as the full one.
  return wrap(
    snapshot.version,
    { entries: kept, index: undefined },
    (name) => entryOf(name, hidden.has(name) ? undefined : snapshot.get(name)),
    unavailable && findUnavailable,
  );
}

/** Returns a snapshot without tools that are not available now. It still knows them by name. */
export function withoutUnavailable(snapshot: ToolSnapshot, gone: ReadonlySet<AnyTool>): ToolSnapshot {
  if (gone.size === 0) return snapshot;
  const rest = filterSnapshot(snapshot, (tool) => !gone.has(tool));
  return wrap(
    snapshot.version,
    insides.get(rest)!,
    (name) => {
      const tool = rest.get(name);
      return tool && { name, tool, provider: rest.providerFor(name) ?? '' };
    },
    (name) => {
      const tool = snapshot.get(name);
      return tool && gone.has(tool) ? { name, tool, provider: snapshot.providerFor(name) ?? '' } : undefined;
    },
  );
}

/** Returns a snapshot in which some tools are replaced under the same names. Copies the list. */
export function mapSnapshot(
  snapshot: ToolSnapshot,
  some: Iterable<AnyTool>,
  change: (tool: AnyTool) => AnyTool,
): ToolSnapshot {
  const changed = new Map<AnyTool, AnyTool>();
  for (const tool of some) {
    const next = change(tool);
    if (next !== tool) changed.set(tool, next);
  }
  if (changed.size === 0) return snapshot;
  const entries = snapshot.tools.map((tool, position) => {
    const name = snapshot.names[position] ?? tool.name;
    return { name, tool: changed.get(tool) ?? tool, provider: snapshot.providerFor(name) ?? '' };
  });
  const entryOf = (name: string, tool: AnyTool | undefined): RegisteredTool | undefined =>
    tool && { name, tool: changed.get(tool) ?? tool, provider: snapshot.providerFor(name) ?? '' };
  const { unavailable } = snapshot;
  return wrap(
    snapshot.version,
    { entries, index: undefined },
    (name) => entryOf(name, snapshot.get(name)),
    unavailable && ((name) => entryOf(name, unavailable(name))),
  );
}

function build(
  version: number,
  entries: readonly RegisteredTool[],
  index: NameIndex,
  findUnavailable?: Find,
): ToolSnapshot {
  return wrap(version, { entries, index }, (name) => index.get(name, version), findUnavailable);
}

function wrap(version: number, inside: Inside, find: Find, findUnavailable?: Find): ToolSnapshot {
  const snapshot = Object.freeze(new EntrySnapshot(version, inside.entries, find, findUnavailable));
  insides.set(snapshot, inside);
  return snapshot;
}

/**
 * A class whose accessors are shared by all snapshots. The engine treats an object literal with accessors as a
 * dictionary, and every call looks up its tool.
 */
class EntrySnapshot implements ToolSnapshot {
  readonly version: number;
  declare readonly tools: readonly AnyTool[];
  declare readonly names: readonly string[];
  readonly get: ToolSnapshot['get'];
  readonly has: ToolSnapshot['has'];
  readonly providerFor: ToolSnapshot['providerFor'];
  readonly unavailable: ToolSnapshot['unavailable'];
  readonly #entries: readonly RegisteredTool[];
  #tools: readonly AnyTool[] | undefined = undefined;
  #names: readonly string[] | undefined = undefined;

  constructor(version: number, entries: readonly RegisteredTool[], find: Find, findUnavailable: Find | undefined) {
    this.version = version;
    this.#entries = entries;
    this.get = (name) => find(name)?.tool;
    this.has = (name) => find(name) !== undefined;
    this.providerFor = (name) => (find(name) ?? findUnavailable?.(name))?.provider;
    this.unavailable = findUnavailable && ((name) => findUnavailable(name)?.tool);
    Object.defineProperties(this, EntrySnapshot.#lists);
  }

  /** These are own properties, so that copies of a snapshot include them. */
  static readonly #lists: PropertyDescriptorMap & ThisType<EntrySnapshot> = {
    tools: {
      enumerable: true,
      get() {
        return (this.#tools ??= Object.freeze(this.#entries.map((entry) => entry.tool)));
      },
    },
    names: {
      enumerable: true,
      get() {
        return (this.#names ??= Object.freeze(this.#entries.map((entry) => entry.name)));
      },
    },
  };
}

function moveFew(
  entries: readonly RegisteredTool[],
  changes: ReadonlyMap<string, RegisteredTool | undefined>,
): readonly RegisteredTool[] {
  const next = [...entries];
  for (const [name, entry] of changes) {
    const at = placeOf(next, name);
    next.splice(at, next[at]?.name === name ? 1 : 0, ...(entry ? [entry] : []));
  }
  return next;
}

function moveMany(
  entries: readonly RegisteredTool[],
  changes: ReadonlyMap<string, RegisteredTool | undefined>,
): readonly RegisteredTool[] {
  const kept = entries.filter((entry) => !changes.has(entry.name));
  const added = [...changes.values()].filter((entry) => entry !== undefined);
  return [...kept, ...added].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the index of a name in a sorted list, or the index at which to insert it. */
function placeOf(entries: readonly RegisteredTool[], name: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (entries[middle]!.name < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The tool that a name refers to from a version on, and before that version. */
interface Meaning {
  readonly since: number;
  readonly entry: RegisteredTool | undefined;
  readonly before: Meaning | undefined;
}

/**
 * Maps names to tools, now and at earlier versions. Snapshots share one index, so that a new snapshot only costs its
 * changes. Versions only increase.
 */
class NameIndex {
  readonly #meanings = new Map<string, Meaning>();
  #past = 0;

  constructor(version: number, entries: Iterable<RegisteredTool>) {
    for (const entry of entries) this.#meanings.set(entry.name, { since: version, entry, before: undefined });
  }

  /** Whether the index holds more old entries than current ones and should be replaced. */
  get isOld(): boolean {
    return this.#past > 64 + this.#meanings.size / 2;
  }

  get(name: string, version: number): RegisteredTool | undefined {
    let meaning = this.#meanings.get(name);
    while (meaning !== undefined && meaning.since > version) meaning = meaning.before;
    return meaning?.entry;
  }

  set(name: string, version: number, entry: RegisteredTool | undefined): void {
    const before = this.#meanings.get(name);
    if (before !== undefined) this.#past += 1;
    this.#meanings.set(name, { since: version, entry, before });
  }
}
