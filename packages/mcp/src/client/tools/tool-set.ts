import type { AnyTool, ToolRegistry } from '@haft/core';
import { McpError } from '../../mcp-error.ts';
import { encodeToolName } from '../../untrusted/wire-name.ts';
import type { RemoteTool } from './list-remote-tools.ts';
import type { ConnectionDiagnostic } from '../../connection-diagnostic.ts';
import { planApprovedTool, planRemoteTool } from './plan-remote-tool.ts';
import { type RemoteToolPlan } from '../contract/remote-tool-plan.ts';
import { createRemoteTool, type RemoteToolHost } from './remote-tool.ts';
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
  readonly plan: RemoteToolPlan;
  readonly tool: AnyTool;
}

interface Waiting {
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
export interface ToolTrust {
  /** Whether a tool that changes is suspended until it is approved, or taken at once. */
  readonly changedTools: 'suspend' | 'take';
  /** What was trusted in other runs; found once the connection has its name. */
  readonly approvals: ToolApprovals | undefined;
}

/** Makes an empty set; `update` throws `NAME_TAKEN` when another connection has tools under the provider. */
export function createToolSet(
  provider: string,
  host: RemoteToolHost,
  registry: ToolRegistry | undefined,
  trustOf: ToolTrust,
): ToolSet {
  let entries: ReadonlyMap<string, Entry> = new Map();
  /** What was said of the last list: a tool that is still left out is no news. */
  let known: ReadonlySet<string> = new Set();
  /** What was taken in first, or approved since; also of tools that the server has withdrawn, lest they come back as others. */
  const trusted = new Map<string, Entry>();
  const waiting = new Map<string, Waiting>();

  /** One bad tool never hides the others. */
  const read = (
    remote: RemoteTool,
    next: ReadonlyMap<string, Entry>,
  ): readonly [string, Entry] | ConnectionDiagnostic => {
    const plan = planRemoteTool(remote, host.limits);
    if ('kind' in plan) return plan;
    const isTaken = (name: string): boolean => next.has(name) || (registry?.providerFor(name) ?? provider) !== provider;
    const name = encodeToolName(host.connection, remote.name, isTaken);
    const { print } = plan;
    const entry = [entries.get(name), trusted.get(name), waiting.get(name)?.entry].find(
      (one) => one?.plan.print === print,
    );
    if (entry) return [name, entry];
    const made = makeEntry(plan, name);
    if ('kind' in made) return made;
    plan.remarks.forEach((remark) => host.report(remark));
    return [name, made];
  };

  const makeEntry = (plan: RemoteToolPlan, name: string): Entry | ConnectionDiagnostic => {
    const tool = createRemoteTool(plan, name, host);
    if ('kind' in tool && 'message' in tool) return tool;
    const available: AnyTool['available'] = () =>
      waiting.has(name)
        ? {
            reason: `the MCP server ${host.connection} has changed what it says of this tool; a person has to approve that first`,
          }
        : host.available();
    return { plan, tool: { ...tool, available } };
  };

  const trust = (name: string, entry: Entry): void => {
    if (trusted.get(name)?.plan.print !== entry.plan.print) trustOf.approvals?.set(approvalOf(name, entry.plan));
    trusted.set(name, entry);
  };

  /** What was trusted under a name, in this run or another. */
  const findTrusted = (name: string, now: Entry): Entry | undefined => {
    const known = trusted.get(name);
    if (known) return known;
    const approved = trustOf.approvals?.get(name);
    if (!approved) return undefined;
    const plan = planApprovedTool(approved);
    const made = plan.print === now.plan.print ? now : makeEntry(plan, name);
    // What can't be made any more is still what the new is held against; the tool is not available meanwhile.
    const entry = 'kind' in made ? { plan, tool: now.tool } : made;
    trusted.set(name, entry);
    return entry;
  };

  /** The entry that serves under a name: a changed one waits, and what was trusted before is served as unavailable. */
  const hold = (name: string, entry: Entry, suspended: ToolChange[]): Entry => {
    const before = findTrusted(name, entry);
    if (trustOf.changedTools === 'take' || !before || before.plan.print === entry.plan.print) {
      waiting.delete(name);
      trust(name, entry);
      return entry;
    }
    if (waiting.get(name)?.entry === entry) return before;
    const change = describeChange(name, before.plan, entry.plan);
    waiting.set(name, { change, entry });
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
      const said = new Set<string>();
      const suspended: ToolChange[] = [];
      for (const remote of remotes) {
        const entry = read(remote, next);
        if (!('kind' in entry)) {
          next.set(entry[0], hold(...entry, suspended));
          continue;
        }
        said.add(entry.message);
        if (!known.has(entry.message)) host.report(entry);
      }
      known = said;
      for (const name of waiting.keys()) if (!next.has(name)) waiting.delete(name);
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
      return [...waiting.values()].map(({ change }) => change);
    },
    approve(change) {
      const found = waiting.get(change.tool);
      if (!found || found.change !== change) return false;
      waiting.delete(change.tool);
      trust(change.tool, found.entry);
      replace(change.tool, found.entry);
      return true;
    },
    clear() {
      const mine = [...entries.keys()];
      waiting.clear();
      entries = new Map();
      registry?.batch((draft) => mine.forEach((name) => draft.unregister(name, provider)));
    },
  };
}
