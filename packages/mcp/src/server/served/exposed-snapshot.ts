import { type AnyTool, type ToolSnapshot } from '@haft/core';
import { filterSnapshot } from '@haft/core/registry';

/** Returns the tools that clients may know. Other tools can't be found, called or guessed from hints. */
export function exposeSnapshot(
  snapshot: ToolSnapshot,
  exposes: ((tool: AnyTool, provider: string) => boolean) | undefined,
): ToolSnapshot {
  return exposes ? filterSnapshot(snapshot, exposes) : snapshot;
}
