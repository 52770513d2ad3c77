import type { AnyTool, ToolSnapshot } from '@haft/core';

/** The part of a snapshot that clients may know of: what is left out can be neither found, called nor guessed from hints. */
export function exposeSnapshot(
  snapshot: ToolSnapshot,
  exposes: ((tool: AnyTool, provider: string) => boolean) | undefined,
): ToolSnapshot {
  if (!exposes) return snapshot;
  const tools = snapshot.tools.filter((tool) => exposes(tool, snapshot.providerFor(tool.name) ?? ''));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    version: snapshot.version,
    tools,
    names: tools.map((tool) => tool.name),
    get: (name) => byName.get(name),
    has: (name) => byName.has(name),
    providerFor: (name) => (byName.has(name) ? snapshot.providerFor(name) : undefined),
  };
}
