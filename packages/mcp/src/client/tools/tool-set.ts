import type { AnyTool, ToolRegistry } from '@haft/core';
import { McpError } from '../../mcp-error.ts';
import { encodeToolName } from '../../untrusted/wire-name.ts';
import type { RemoteTool } from './list-remote-tools.ts';
import type { ConnectionDiagnostic } from '../../connection-diagnostic.ts';
import { fromApprovedTool, sanitizeTool } from './sanitize-tool.ts';
import { type SanitizedTool } from '../contract/sanitized-tool.ts';
import { createRemoteTool, type RemoteToolDeps } from './remote-tool.ts';
import { approvalOf, type ToolApprovals } from '../contract/tool-approvals.ts';
import { describeChange, type ToolChange } from '../contract/tool-change.ts';

/** What an update brought. */
export interface ToolSetChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly replaced: readonly string[];
  /** Tools that the server describes in another way than when they were taken in: what is new waits to be approved. */
  readonly suspended: readonly ToolChange[];
}

/** The tools of one connection, in step with a registry when there is one. */
export interface ToolSet {
  readonly tools: readonly AnyTool[];
  /** Takes in a new list: unchanged tools stay the same objects, and the registry sees one batch with what differs. */
  update(remotes: readonly RemoteTool[]): ToolSetChange;
  /** Changes that wait, by the tools' names. */
  readonly changes: readonly ToolChange[];
  /** Takes in what a tool has changed to, if that is still what was looked at; false when there is no such change. */
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

/** Why a connection can't have a name. */
export function nameTaken(connection: string): McpError {
  return new McpError(
    'NAME_TAKEN',
    `the registry has a connection named ${connection} already; give this one another name`,
  );
}

/** What becomes of tools that change. */
export interface TrustPolicy {
  /** Whether a tool that changes is suspended until it is approved, or taken at once. */
  readonly changedTools: 'suspend' | 'accept';
  /** What was trusted in other runs; found once the connection has its name. */
  readonly approvals: ToolApprovals | undefined;
}

/** Makes an empty set; `update` throws `NAME_TAKEN` when another connection has tools under the provider. */
export function createToolSet(
  provider: string,
  host: RemoteToolDeps,
  registry: ToolRegistry | undefined,
  policy: TrustPolicy,
): ToolSet {
  let entries: ReadonlyMap<string, Entry> = new Map();
  /** What was reported of the last list: a tool that is still left out is no news. */
  let reportedBefore: ReadonlySet<string> = new Set();
  /** What was taken in first, or approved since; also of tools that the server has withdrawn, lest they come back as others. */
  const trusted = new Map<string, Entry>();
  const pending = new Map<string, PendingChange>();

  /** One bad tool never hides the others. */
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
    const made = makeEntry(sanitized, name);
    if ('kind' in made) return made;
    sanitized.diagnostics.forEach((diagnostic) => host.report(diagnostic));
    return [name, made];
  };

  const makeEntry = (sanitized: SanitizedTool, name: string): Entry | ConnectionDiagnostic => {
    const tool = createRemoteTool(sanitized, name, host);
    if ('kind' in tool && 'message' in tool) return tool;
    const available: AnyTool['available'] = () =>
      pending.has(name)
        ? {
            reason: `the MCP server ${host.connection} has changed what it says of this tool; a person has to approve that first`,
          }
        : host.available();
    return { sanitized, tool: { ...tool, available } };
  };

  const trust = (name: string, entry: Entry): void => {
    if (trusted.get(name)?.sanitized.fingerprint !== entry.sanitized.fingerprint)
      policy.approvals?.set(approvalOf(name, entry.sanitized));
    trusted.set(name, entry);
  };

  /** What was trusted under a name, in this run or another. */
  const findTrusted = (name: string, now: Entry): Entry | undefined => {
    const known = trusted.get(name);
    if (known) return known;
    const approved = policy.approvals?.get(name);
    if (!approved) return undefined;
    const sanitized = fromApprovedTool(approved);
    const made = sanitized.fingerprint === now.sanitized.fingerprint ? now : makeEntry(sanitized, name);
    // What can't be made any more is still what the new is held against; the tool is not available meanwhile.
    const entry = 'kind' in made ? { sanitized, tool: now.tool } : made;
    trusted.set(name, entry);
    return entry;
  };

  /** The entry that serves under a name: a changed one waits, and what was trusted before is served as unavailable. */
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
      // Two connections of one name that were made at the same time meet here.
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
    approve(change) {
      const found = pending.get(change.tool);
      if (!found || found.change !== change) return false;
      pending.delete(change.tool);
      trust(change.tool, found.entry);
      replace(change.tool, found.entry);
      return true;
    },
    clear() {
      const mine = [...entries.keys()];
      pending.clear();
      entries = new Map();
      registry?.batch((draft) => mine.forEach((name) => draft.unregister(name, provider)));
    },
  };
}
