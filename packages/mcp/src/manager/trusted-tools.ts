import type { ApprovedTool, ToolApprovals } from '../client/contract/tool-approvals.ts';
import type { ConnectionStore } from './connection-store.ts';

/** The trusted tools of one server, kept in sync with the store. */
export interface TrustedTools {
  /** Loads the tools trusted under a name. Tools trusted later are saved soon after. */
  load(name: string): Promise<ToolApprovals>;
  /** Resolves when pending writes are done. */
  flush(): Promise<void>;
}

/**
 * Creates the trusted tools of one server. If saving fails, the failure is reported and the trust applies to this run
 * only.
 */
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
