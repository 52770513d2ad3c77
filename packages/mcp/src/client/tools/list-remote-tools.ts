import type { Client } from '@modelcontextprotocol/client';
import { cleanLine } from '../../untrusted/clean-text.ts';
import type { Report } from '../../connection-diagnostic.ts';
import { listPages, type ListLimits } from './list-pages.ts';

/** A tool as a server describes it; nothing but its name has been checked. */
export interface RemoteTool {
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

/** Reads all pages of a server's tools. Of two tools with one name the first is kept. */
export function listRemoteTools(client: Client, limits: ListLimits, report: Report): Promise<readonly RemoteTool[]> {
  return listPages<RemoteTool>(
    client,
    {
      method: 'tools/list',
      member: 'tools',
      read: (item) => item as RemoteTool,
      keyOf: (tool) => tool.name,
      onDuplicate({ name }) {
        report({
          kind: 'duplicate-tool',
          tool: name,
          message: `a second tool named ${cleanLine(name, 80)} was left out`,
        });
      },
    },
    limits,
    report,
  );
}
