import type { Client } from '@modelcontextprotocol/client';
import { cleanLine } from '../../untrusted/clean-text.ts';
import type { Report } from '../../connection-diagnostic.ts';
import { listPages, type ListLimits } from './list-pages.ts';

/** A tool as the server lists it. Only the name has been checked. */
export interface RemoteTool {
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
  readonly execution?: unknown;
}

/** Reads all pages of a server's tools. The first of two tools with the same name wins. */
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
          message: `skipped a second tool named ${cleanLine(name, 80)}`,
        });
      },
    },
    limits,
    report,
  );
}
