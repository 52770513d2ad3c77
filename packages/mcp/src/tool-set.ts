import type { AnyTool, ToolRegistry } from '@haft/core';
import { McpError } from './mcp-error.ts';
import { encodeToolName } from './wire-name.ts';
import type { RemoteTool } from './list-remote-tools.ts';
import type { ConnectionDiagnostic } from './connection-report.ts';
import { planRemoteTool } from './plan-remote-tool.ts';
import { createRemoteTool, type RemoteToolHost } from './remote-tool.ts';

/** What an update brought. */
export interface ToolSetChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly replaced: readonly string[];
}

/** The tools of one connection, in step with a registry when there is one. */
export interface ToolSet {
  readonly tools: readonly AnyTool[];
  /** Takes in a new list: unchanged tools stay the same objects, and the registry sees one batch with what differs. */
  update(remotes: readonly RemoteTool[]): ToolSetChange;
  clear(): void;
}

interface Entry {
  readonly print: string;
  readonly tool: AnyTool;
}

/** Why a connection can't have a name. */
export function nameTaken(connection: string): McpError {
  return new McpError(
    'NAME_TAKEN',
    `the registry has a connection named ${connection} already; give this one another name`,
  );
}

/** Makes an empty set; `update` throws `NAME_TAKEN` when another connection has tools under the provider. */
export function createToolSet(provider: string, host: RemoteToolHost, registry: ToolRegistry | undefined): ToolSet {
  let entries: ReadonlyMap<string, Entry> = new Map();
  /** What was said of the last list: a tool that is still left out is no news. */
  let known: ReadonlySet<string> = new Set();

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
    const entry = entries.get(name);
    if (entry?.print === print) return [name, entry];
    const tool = createRemoteTool(plan, name, host);
    if ('kind' in tool && 'message' in tool) return tool;
    plan.remarks.forEach((remark) => host.report(remark));
    return [name, { print, tool }];
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
      for (const remote of remotes) {
        const entry = read(remote, next);
        if (!('kind' in entry)) {
          next.set(...entry);
          continue;
        }
        said.add(entry.message);
        if (!known.has(entry.message)) host.report(entry);
      }
      known = said;
      const before = entries;
      const added = [...next.keys()].filter((name) => !before.has(name));
      const removed = [...before.keys()].filter((name) => !next.has(name));
      const replaced = [...next]
        .filter(([name, entry]) => before.has(name) && before.get(name)?.tool !== entry.tool)
        .map(([name]) => name);
      if (added.length + removed.length + replaced.length === 0) return { added, removed, replaced };
      registry?.batch((draft) => {
        for (const name of [...removed, ...replaced]) draft.unregister(name, provider);
        for (const name of [...added, ...replaced]) draft.registerWithProvider(next.get(name)!.tool, provider);
      });
      entries = next;
      return { added, removed, replaced };
    },
    clear() {
      const mine = [...entries.keys()];
      entries = new Map();
      registry?.batch((draft) => mine.forEach((name) => draft.unregister(name, provider)));
    },
  };
}
