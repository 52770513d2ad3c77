import { isUnderProvider, type ToolSnapshot } from '@haft/core';
import type { AllowedTools } from './agent-options.ts';

/** The part of a snapshot that a run may use; the same object when that is all of it. */
export function restrictSnapshot(snapshot: ToolSnapshot, allow: AllowedTools | undefined): ToolSnapshot {
  if (!allow) return snapshot;
  const { providers = [], tools: named = [] } = allow;
  const isAllowed = (name: string): boolean => {
    if (named.includes(name)) return true;
    const provider = snapshot.providerFor(name);
    return provider !== undefined && providers.some((prefix) => isUnderProvider(provider, prefix));
  };
  return pickTools(snapshot, isAllowed);
}

function pickTools(snapshot: ToolSnapshot, keep: (name: string) => boolean): ToolSnapshot {
  const tools = snapshot.tools.filter((tool) => keep(tool.name));
  if (tools.length === snapshot.tools.length) return snapshot;
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
