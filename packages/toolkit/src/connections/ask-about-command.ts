import type { PermissionEngine } from '@haft/core';
import type { CommandApprovalRequest } from '@haft/mcp';

/**
 * Creates a function that checks the start of a server against the permissions of the workspace, as a call of
 * `mcp_connect` with the whole command line. Rules on commands apply. If the rules do not decide, the user is asked.
 */
export function askCommandBy(
  permission: PermissionEngine,
  cwd: string,
): (question: CommandApprovalRequest, signal: AbortSignal) => Promise<boolean> {
  return async ({ connection, line, env, ...question }, signal) => {
    const args = { ...(connection === '' ? {} : { name: connection }), command: line, env };
    const decision = await permission.ask({
      callId: `connect ${connection}`,
      tool: 'mcp_connect',
      provider: 'lifecycle',
      kind: 'other',
      traits: {
        readOnly: false,
        destructive: true,
        idempotent: false,
        openWorld: true,
        pure: false,
        sideEffects: 'external',
        requires: ['process', 'network'],
      },
      arguments: args,
      argumentNames: Object.keys(args),
      footprint: { reads: ['*'], writes: ['*'] },
      title: `Start the MCP server ${connection}${connection === '' ? '' : ' '}now and in the future with this command: ${line}`,
      cwd: question.cwd ?? cwd,
      sessionId: '',
      signal,
    });
    return decision.action === 'allow';
  };
}
