import type { ApprovedTool, ToolApprovals } from '../client/contract/tool-approvals.ts';
import type { ConnectionStore } from './connection-store.ts';

/** What is trusted of the tools of one server, in step with what is trusted. */
export interface TrustedTools {
  /** What was trusted of it under this name before; what is trusted from then on is flush soon after. */
  load(name: string): Promise<ToolApprovals>;
  /** Resolves when all is flush. */
  flush(): Promise<void>;
}

/** Makes the keeper of one server; what can't be flush is told and counts for this run. */
export function createTrustedTools(
  connectionStore: ConnectionStore,
  identity: string,
  onFailed: (error: unknown) => void,
): TrustedTools {
  let writing: Promise<void> = Promise.resolve();
  return {
    async load(name) {
      const trusted = new Map((await connectionStore.tools(name, identity)).map((one) => [one.tool, one]));
      let unsaved: ApprovedTool[] = [];
      return {
        get: (tool) => trusted.get(tool),
        set(approved) {
          trusted.set(approved.tool, approved);
          unsaved.push(approved);
          if (unsaved.length > 1) return;
          queueMicrotask(() => {
            const flush = unsaved;
            unsaved = [];
            writing = writing.then(() => connectionStore.saveTools(name, identity, flush).catch(onFailed));
          });
        },
      };
    },
    flush: () => writing,
  };
}
