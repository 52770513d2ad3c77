import type { ToolAvailability } from '@haft/core/registry';
import type { ToolKind } from '@haft/core';
import type { AssembledTools } from '../assembly/assemble-tools.ts';
import { sourceOptions } from '../assembly/source-options.ts';
import type { Command } from '../program/command.ts';
import { formatTable } from '../show/format-table.ts';
import { showableLine } from '../show/showable.ts';

/** Lists the tools. */
export const tools: Command = {
  name: 'tools',
  summary: 'list the tools: name, kind, source, whether usable, purpose',
  maximumOperands: 0,
  options: {
    json: { type: 'boolean', description: 'print one JSON array' },
    yes: { type: 'boolean', short: 'y', description: 'start the MCP servers of the file without asking' },
    ...sourceOptions,
  },
  async run(invocation) {
    const { assembleTools } = await import('../assembly/assemble-tools.ts');
    invocation.terminal.reserve();
    await using assembled = await assembleTools({
      invocation,
      mode: 'read-only',
      approvesServers: invocation.flag('yes'),
    });
    const rows = await listTools(assembled);
    const { terminal } = invocation;
    if (invocation.flag('json')) {
      terminal.line(JSON.stringify(rows, null, 2));
      return 0;
    }
    const columns = [
      { title: 'name', shrinks: true, wraps: true, minimum: 16 },
      { title: 'kind' },
      { title: 'from', shrinks: true, wraps: true, minimum: 10 },
      { title: 'usable', shrinks: true, wraps: true, minimum: 10 },
      { title: 'for', shrinks: true, minimum: 20 },
    ];
    const cells = rows.map((row) => [
      row.name,
      row.kind,
      shortProvider(row.provider),
      row.available ? 'yes' : showableLine(row.reason ?? 'no', 80),
      row.description,
    ]);
    const width = terminal.isInteractive ? terminal.columns : Infinity;
    for (const line of formatTable(columns, cells, terminal.paint, width)) terminal.line(line);
    return 0;
  },
};

interface ToolRow {
  readonly name: string;
  readonly kind: ToolKind;
  readonly provider: string;
  readonly available: boolean;
  readonly reason?: string;
  /** The first sentence of the description, without the fence around a server's text. */
  readonly description: string;
}

async function listTools({ registry }: AssembledTools): Promise<readonly ToolRow[]> {
  const snapshot = registry.snapshot();
  const checked = await registry.checkAvailability();
  return checked.map(({ name, available, reason, description }: ToolAvailability) => ({
    name,
    kind: snapshot.get(name)?.kind ?? 'other',
    provider: snapshot.providerFor(name) ?? '',
    available,
    ...(reason === undefined ? {} : { reason }),
    description: firstSentence(withoutMarks(description)),
  }));
}

/** Shortens `dynamic/mcp/github` to `mcp github`. */
function shortProvider(provider: string): string {
  return provider.replace(/^dynamic\//, '').replace('/', ' ');
}

/** Removes the fence that warns a model of a server's text. Users see the source in the column `from`. */
function withoutMarks(description: string): string {
  return description.replace(/^\[text of the MCP server [^\]]*\] <(untrusted-[0-9a-f]{16})>\n([^]*)\n<\/\1>$/, '$2');
}

function firstSentence(description: string): string {
  const line = showableLine(description, 400);
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
}
