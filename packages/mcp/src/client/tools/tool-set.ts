import type { AnyTool, ToolRegistry } from '@haft/core';
import { McpError } from '../../mcp-error.ts';
import { encodeToolName } from '../../untrusted/safe-wire-name.ts';
import type { RemoteTool } from './list-remote-tools.ts';
import type { ConnectionDiagnostic } from '../../connection-diagnostic.ts';
import { fromApprovedTool, sanitizeTool } from './sanitize-tool.ts';
import { type SanitizedTool } from '../../untrusted/sanitized-tool.ts';
import { createRemoteTool, type RemoteToolDeps } from './remote-tool.ts';
import { approvalOf, type ToolApprovals } from '../contract/tool-approvals.ts';
import { describeChange, type ToolChange } from '../contract/tool-change.ts';

/** Result of an update. */
export interface ToolSetChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly replaced: readonly string[];
  /** Tools whose definition changed and that wait for approval. */
  readonly suspended: readonly ToolChange[];
}

/** The tools of one connection, kept in sync with a registry if there is one. */
export interface ToolSet {
  readonly tools: readonly AnyTool[];
  /** Applies a new list. Unchanged tools stay the same objects, and the registry gets one batch of changes. */
  update(remotes: readonly RemoteTool[]): ToolSetChange;
  /** Changes that wait for approval. */
  readonly changes: readonly ToolChange[];
  /**
   * Returns why a tool must not be called with the definition of this fingerprint, if so. Checked again before a call is
   * sent, because the definition may change while the call waits for a person, another call or a restart.
   */
  whyBlocked(name: string, fingerprint: string): string | undefined;
  /** Approves a change. Returns false if it is not pending any more. */
  approve(change: ToolChange): boolean;
  clear(): void;
}

interface Entry {
  readonly sanitized: SanitizedTool;
  readonly tool: AnyTool;
}

interface PendingChange {
  readonly change: ToolChange;
  readonly entry: Entry;
}

/** Creates the error for a name that is in use. */
export function nameTaken(connection: string): McpError {
  return new McpError('NAME_TAKEN', `the registry already has a connection named ${connection}; choose another name`);
}

/** How changed tools are treated. */
export interface TrustPolicy {
  /** Whether a changed tool waits for approval or is accepted at once. */
  readonly changedTools: 'suspend' | 'accept';
  /** Definitions trusted in earlier runs, loaded once the connection has its name. */
  readonly approvals: ToolApprovals | undefined;
}

/** Creates an empty set. `update` throws `NAME_TAKEN` if another connection has tools under the provider. */
export function createToolSet(
  provider: string,
  host: RemoteToolDeps,
  registry: ToolRegistry | undefined,
  policy: TrustPolicy,
): ToolSet {
  let entries: ReadonlyMap<string, Entry> = new Map();
  /** Diagnostics of the last list, so that a repeated one is not reported again. */
  let reportedBefore: ReadonlySet<string> = new Set();
  /** Trusted definitions, including those of removed tools, so that a tool can't come back changed. */
  const trusted = new Map<string, Entry>();
  const pending = new Map<string, PendingChange>();
  const awaitsApproval = `the MCP server ${host.connection} changed the definition of this tool; the user has to approve the change first`;

  /** Reads one tool. An invalid tool does not hide the others. */
  const read = (
    remote: RemoteTool,
    next: ReadonlyMap<string, Entry>,
  ): readonly [string, Entry] | ConnectionDiagnostic => {
    const sanitized = sanitizeTool(remote, host.limits);
    if ('kind' in sanitized) return sanitized;
    const isTaken = (name: string): boolean => next.has(name) || (registry?.providerFor(name) ?? provider) !== provider;
    const name = encodeToolName(host.connection, remote.name, isTaken);
    const { fingerprint } = sanitized;
    const entry = [entries.get(name), trusted.get(name), pending.get(name)?.entry].find(
      (one) => one?.sanitized.fingerprint === fingerprint,
    );
    if (entry) return [name, entry];
    const created = makeEntry(sanitized, name);
    if ('kind' in created) return created;
    sanitized.diagnostics.forEach((diagnostic) => host.report(diagnostic));
    return [name, created];
  };

  const makeEntry = (sanitized: SanitizedTool, name: string): Entry | ConnectionDiagnostic => {
    const tool = createRemoteTool(sanitized, name, host);
    if ('kind' in tool && 'message' in tool) return tool;
    const available: AnyTool['available'] = () =>
      pending.has(name) ? { reason: awaitsApproval, retryable: false } : host.available();
    return { sanitized, tool: { ...tool, available } };
  };

  const trust = (name: string, entry: Entry): void => {
    if (trusted.get(name)?.sanitized.fingerprint !== entry.sanitized.fingerprint)
      policy.approvals?.set(approvalOf(name, entry.sanitized));
    trusted.set(name, entry);
  };

  /** Returns the definition trusted under a name, in this run or an earlier one. */
  const findTrusted = (name: string, now: Entry): Entry | undefined => {
    const known = trusted.get(name);
    if (known) return known;
    const approved = policy.approvals?.get(name);
    if (!approved) return undefined;
    const sanitized = fromApprovedTool(approved);
    const created = sanitized.fingerprint === now.sanitized.fingerprint ? now : makeEntry(sanitized, name);
    // If the trusted definition can't be used any more, it still serves for comparison; the tool is unavailable.
    const entry = 'kind' in created ? { sanitized, tool: now.tool } : created;
    trusted.set(name, entry);
    return entry;
  };

  /** Returns the entry to register. For a changed tool, that is the trusted entry, which stays unavailable. */
  const admit = (name: string, entry: Entry, suspended: ToolChange[]): Entry => {
    const before = findTrusted(name, entry);
    if (policy.changedTools === 'accept' || !before || before.sanitized.fingerprint === entry.sanitized.fingerprint) {
      pending.delete(name);
      trust(name, entry);
      return entry;
    }
    if (pending.get(name)?.entry === entry) return before;
    const change = describeChange(name, before.sanitized, entry.sanitized);
    pending.set(name, { change, entry });
    suspended.push(change);
    return before;
  };

  const replace = (name: string, entry: Entry): void => {
    registry?.batch((draft) => {
      draft.unregister(name, provider);
      draft.registerWithProvider(entry.tool, provider);
    });
    entries = new Map([...entries, [name, entry]]);
  };

  return {
    get tools() {
      return [...entries.values()].map((entry) => entry.tool);
    },
    update(remotes) {
      // Concurrent connections with the same name are detected here.
      if (entries.size === 0 && registry && registry.toolsByProvider(provider).length > 0)
        throw nameTaken(host.connection);
      const next = new Map<string, Entry>();
      const reported = new Set<string>();
      const suspended: ToolChange[] = [];
      for (const remote of remotes) {
        const entry = read(remote, next);
        if (!('kind' in entry)) {
          next.set(entry[0], admit(...entry, suspended));
          continue;
        }
        reported.add(entry.message);
        if (!reportedBefore.has(entry.message)) host.report(entry);
      }
      reportedBefore = reported;
      for (const name of pending.keys()) if (!next.has(name)) pending.delete(name);
      const before = entries;
      const added = [...next.keys()].filter((name) => !before.has(name));
      const removed = [...before.keys()].filter((name) => !next.has(name));
      const replaced = [...next]
        .filter(([name, entry]) => before.has(name) && before.get(name)?.tool !== entry.tool)
        .map(([name]) => name);
      if (added.length + removed.length + replaced.length === 0) return { added, removed, replaced, suspended };
      registry?.batch((draft) => {
        for (const name of [...removed, ...replaced]) draft.unregister(name, provider);
        for (const name of [...added, ...replaced]) draft.registerWithProvider(next.get(name)!.tool, provider);
      });
      entries = next;
      return { added, removed, replaced, suspended };
    },
    get changes() {
      return [...pending.values()].map(({ change }) => change);
    },
    whyBlocked(name, fingerprint) {
      if (policy.changedTools === 'accept') return undefined;
      if (pending.has(name)) return awaitsApproval;
      const now = entries.get(name)?.sanitized.fingerprint;
      return now === undefined || now === fingerprint ? undefined : 'its definition changed while the call waited';
    },
    approve(change) {
      const found = pending.get(change.tool);
      if (!found || found.change !== change) return false;
      pending.delete(change.tool);
      trust(change.tool, found.entry);
      replace(change.tool, found.entry);
      return true;
    },
    clear() {
      const names = [...entries.keys()];
      pending.clear();
      entries = new Map();
      registry?.batch((draft) => names.forEach((name) => draft.unregister(name, provider)));
    },
  };
}
