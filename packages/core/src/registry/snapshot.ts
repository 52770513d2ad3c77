import type { ToolSnapshot } from '../contracts/source.ts';
import type { AnyTool } from '../contracts/tool.ts';

/** One tool and where it comes from. */
export interface RegisteredTool {
  readonly tool: AnyTool;
  readonly provider: string;
}

/** Makes an immutable snapshot; the tools come in any order and are sorted by name, code unit by code unit. */
export function createSnapshot(version: number, entries: Iterable<RegisteredTool>): ToolSnapshot {
  return snapshotInOrder(
    version,
    [...entries].sort((a, b) => (a.tool.name < b.tool.name ? -1 : a.tool.name > b.tool.name ? 1 : 0)),
  );
}

/** Makes an immutable snapshot whose tools stand in the order given. */
export function snapshotInOrder(version: number, entries: readonly RegisteredTool[]): ToolSnapshot {
  const byName = new Map(entries.map((entry) => [entry.tool.name, entry]));
  const tools = Object.freeze(entries.map((entry) => entry.tool));
  const names = Object.freeze(tools.map((tool) => tool.name));
  return Object.freeze({
    version,
    tools,
    names,
    get: (name: string) => byName.get(name)?.tool,
    has: (name: string) => byName.has(name),
    providerFor: (name: string) => byName.get(name)?.provider,
  });
}

/** The part of a snapshot whose tools pass a test, in its order; the same object when all do. */
export function filterSnapshot(
  snapshot: ToolSnapshot,
  keep: (tool: AnyTool, provider: string) => boolean,
): ToolSnapshot {
  const entries = snapshot.tools.map((tool) => ({ tool, provider: snapshot.providerFor(tool.name) ?? '' }));
  const kept = entries.filter(({ tool, provider }) => keep(tool, provider));
  return kept.length === entries.length ? snapshot : snapshotInOrder(snapshot.version, kept);
}
