import type { ToolSnapshot, AnyTool } from '../contracts/tools/tool.ts';
import { filterSnapshot } from './snapshot.ts';

/** Most parts of one snapshot that are remembered at a time; models and moments differ in few tools. */
const maxPerSnapshot = 16;

/**
 * Makes a function that takes tools out of a snapshot and gives the same object again for the same tools, so that
 * whoever compares snapshots sees a change only where there is one. Costs what is hidden, not what is there.
 */
export function createSubsetCache(): (snapshot: ToolSnapshot, hidden: readonly AnyTool[]) => ToolSnapshot {
  const bySnapshot = new WeakMap<ToolSnapshot, Map<string, ToolSnapshot>>();
  return (snapshot, hidden) => {
    if (hidden.length === 0) return snapshot;
    let known = bySnapshot.get(snapshot);
    if (known === undefined) bySnapshot.set(snapshot, (known = new Map()));
    const key = hidden.map((tool) => tool.name).join(' ');
    const remembered = known.get(key);
    if (remembered) return remembered;
    if (known.size >= maxPerSnapshot) known.clear();
    const gone = new Set(hidden);
    const subset = filterSnapshot(snapshot, (tool) => !gone.has(tool));
    known.set(key, subset);
    return subset;
  };
}

/** Makes a function that finds, once a snapshot, the tools that may be hidden at all. */
export function createConditionalTools(): (snapshot: ToolSnapshot) => readonly AnyTool[] {
  const bySnapshot = new WeakMap<ToolSnapshot, readonly AnyTool[]>();
  return (snapshot) => {
    let found = bySnapshot.get(snapshot);
    if (found === undefined) {
      found = snapshot.tools.filter(
        (tool) =>
          tool.available !== undefined || tool.supportedModels !== undefined || tool.preference.enabled === false,
      );
      bySnapshot.set(snapshot, found);
    }
    return found;
  };
}
