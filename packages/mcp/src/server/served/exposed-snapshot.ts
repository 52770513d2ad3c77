import { type AnyTool, type ToolSnapshot } from '@haft/core';
import { filterSnapshot } from '@haft/core/registry';

/** The part of a snapshot that clients may know of: what is left out can be neither found, called nor guessed from hints. */
export function exposeSnapshot(
  snapshot: ToolSnapshot,
  exposes: ((tool: AnyTool, provider: string) => boolean) | undefined,
): ToolSnapshot {
  return exposes ? filterSnapshot(snapshot, exposes) : snapshot;
}
