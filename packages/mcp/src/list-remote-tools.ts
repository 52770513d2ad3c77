import type { Client } from '@modelcontextprotocol/client';
import { anyResult } from './any-result.ts';
import { cleanLine } from './clean-text.ts';
import type { Report } from './connection-report.ts';

/** A tool as a server describes it; nothing but its name has been checked. */
export interface RemoteTool {
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

/** How far a list is followed. */
export interface ListLimits {
  readonly maxPages: number;
  readonly maxTools: number;
  /** Milliseconds a page may take. */
  readonly timeoutMs: number;
}

/**
 * Reads all pages of a server's tools. A cursor that comes back, a page that brings nothing new, or too many pages end the
 * walk: what was read so far is used, and a diagnostic says so. Of two tools with one name the first is kept.
 */
export async function listRemoteTools(
  client: Client,
  limits: ListLimits,
  report: Report,
): Promise<readonly RemoteTool[]> {
  const tools = new Map<string, RemoteTool>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let leftOut = 0;
  for (let page = 1; ; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method: 'tools/list', params }, anyResult, { timeout: limits.timeoutMs });
    const before = tools.size;
    for (const tool of readTools(result)) {
      if (tools.has(tool.name)) {
        if (page === 1)
          report({
            kind: 'duplicate-tool',
            tool: tool.name,
            message: `a second tool named ${cleanLine(tool.name, 80)} was left out`,
          });
      } else if (tools.size < limits.maxTools) tools.set(tool.name, tool);
      else leftOut += 1;
    }
    const next = (result as { readonly nextCursor?: unknown }).nextCursor;
    if (tools.size >= limits.maxTools && (leftOut > 0 || typeof next === 'string')) {
      report({
        kind: 'endless-list',
        message: `the list has more than ${limits.maxTools} tools, the most that are taken; the others are left out`,
      });
      break;
    }
    if (typeof next !== 'string') break;
    const circles = cursors.has(next) || tools.size === before;
    if (circles || page >= limits.maxPages) {
      const why = circles ? 'goes round in circles' : `does not end after ${page} pages`;
      report({
        kind: 'endless-list',
        message: `the list of tools ${why}; the ${tools.size} tools read so far are used`,
      });
      break;
    }
    cursors.add(next);
    cursor = next;
  }
  return [...tools.values()];
}

function readTools(result: unknown): readonly RemoteTool[] {
  const { tools } = result as { readonly tools?: unknown };
  return Array.isArray(tools) ? (tools as readonly RemoteTool[]) : [];
}
