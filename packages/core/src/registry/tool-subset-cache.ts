import type { ToolSnapshot, AnyTool } from '../contracts/tools/tool.ts';
import { filterSnapshot } from './snapshot.ts';

/**
 * Maximum number of cached subsets per snapshot. Few are needed, because lists for different models differ in few
 * tools.
 */
const maxPerSnapshot = 16;

/**
 * Creates a function that removes tools from a snapshot. It returns the same object for the same tools, so that
 * comparing snapshots only detects real changes. The cost depends on the number of hidden tools.
 */
export function createSubsetCache(
  removeTools: (snapshot: ToolSnapshot, gone: ReadonlySet<AnyTool>) => ToolSnapshot = withoutTools,
): (snapshot: ToolSnapshot, hidden: readonly AnyTool[]) => ToolSnapshot {
  const bySnapshot = new WeakMap<ToolSnapshot, Map<string, ToolSnapshot>>();
  return (snapshot, hidden) => {
    if (hidden.length === 0) return snapshot;
    let known = bySnapshot.get(snapshot);
    if (known === undefined) bySnapshot.set(snapshot, (known = new Map()));
    const key = hidden.map((tool) => tool.name).join(' ');
    const remembered = known.get(key);
    if (remembered) return remembered;
    if (known.size >= maxPerSnapshot) known.clear();
    const subset = removeTools(snapshot, new Set(hidden));
    known.set(key, subset);
    return subset;
  };
}

function withoutTools(snapshot: ToolSnapshot, gone: ReadonlySet<AnyTool>): ToolSnapshot {
  return filterSnapshot(snapshot, (tool) => !gone.has(tool));
}

/** Creates a function that finds the tools of a snapshot that can be hidden. Computed once per snapshot. */
export function createConditionalTools(): (snapshot: ToolSnapshot) => readonly AnyTool[] {
  const bySnapshot = new WeakMap<ToolSnapshot, readonly AnyTool[]>();
  return (snapshot) => {
    let found = bySnapshot.get(snapshot);
    if (found === undefined) {
      found = snapshot.tools.filter((tool) => tool.available !== undefined || tool.supportedModels !== undefined);
      bySnapshot.set(snapshot, found);
    }
    return found;
  };
}
