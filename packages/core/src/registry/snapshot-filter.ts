import type { ToolSnapshot, AnyTool } from '../contracts/tools/tool.ts';
import { filterSnapshot } from './snapshot.ts';

/**
 * Makes a function that leaves of a snapshot the tools that pass a test, as {@link filterSnapshot} does, and works that out
 * once for each snapshot: for a test whose answer about a tool never changes. Whoever shows a part of many tools each turn
 * pays for them when they change, and not each turn.
 */
export function createSnapshotFilter(
  keep: (tool: AnyTool, provider: string) => boolean,
): (snapshot: ToolSnapshot) => ToolSnapshot {
  const known = new WeakMap<ToolSnapshot, ToolSnapshot>();
  return (snapshot) => {
    let part = known.get(snapshot);
    if (part === undefined) {
      part = filterSnapshot(snapshot, keep);
      known.set(snapshot, part);
      // What has been filtered passes as it is.
      known.set(part, part);
    }
    return part;
  };
}
