import type { ApprovedTool, ToolApprovals } from '../client/contract/tool-approvals.ts';
import type { ConnectionShelf } from './connection-shelf.ts';

/** What is trusted of the tools of one server, in step with what is kept. */
export interface TrustKeeper {
  /** What was trusted of it under this name before; what is trusted from then on is written soon after. */
  open(name: string): Promise<ToolApprovals>;
  /** Resolves when all is written. */
  written(): Promise<void>;
}

/** Makes the keeper of one server; what can't be written is told and counts for this run. */
export function createTrustKeeper(
  shelf: ConnectionShelf,
  identity: string,
  onFailed: (error: unknown) => void,
): TrustKeeper {
  let writing: Promise<void> = Promise.resolve();
  return {
    async open(name) {
      const kept = new Map((await shelf.tools(name, identity)).map((one) => [one.tool, one]));
      let fresh: ApprovedTool[] = [];
      return {
        get: (tool) => kept.get(tool),
        set(approved) {
          kept.set(approved.tool, approved);
          fresh.push(approved);
          if (fresh.length > 1) return;
          queueMicrotask(() => {
            const written = fresh;
            fresh = [];
            writing = writing.then(() => shelf.keepTools(name, identity, written).catch(onFailed));
          });
        },
      };
    },
    written: () => writing,
  };
}
