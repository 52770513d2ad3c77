import type { ApprovalView } from '../../../src/contract/page-data.ts';

const startPrefix = 'connect ';

/**
 * Returns the name of the MCP server whose start a question is about, or undefined for other questions. An unnamed server
 * has an empty name.
 */
export function serverOf({ tool, provider, callId }: ApprovalView): string | undefined {
  const isStart = tool === 'mcp_connect' && provider === 'lifecycle' && callId.startsWith(startPrefix);
  return isStart ? callId.slice(startPrefix.length) : undefined;
}
