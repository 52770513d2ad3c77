import type { PermissionEngine } from '@haft/core';
import type { CommandApprovalRequest } from '@haft/mcp';

/**
 * Creates a function that checks the start of a server against the permissions of the workspace, as a call of
 * `mcp_connect` with the whole command line, or with the URL. Rules on commands or hosts apply. If the rules do not
 * decide, the user is asked.
 */
export function askCommandBy(
  permission: PermissionEngine,
  cwd: string,
): (question: CommandApprovalRequest, signal: AbortSignal) => Promise<boolean> {
  return async ({ connection, line, env, ...question }, signal) => {
    const isUrl = /^https?:/.test(line);
    const args = { ...(connection === '' ? {} : { name: connection }), [isUrl ? 'url' : 'command']: line, env };
    const named = connection === '' ? '' : `${connection} `;
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
        requires: isUrl ? ['network'] : ['process', 'network'],
      },
      arguments: args,
      argumentNames: Object.keys(args),
      footprint: { reads: ['*'], writes: ['*'] },
      title: isUrl
        ? `Send values of your environment to the MCP server ${named}now and in the future: ${[line, ...env].join(', ')}`
        : `Start the MCP server ${named}now and in the future with this command: ${line}`,
      cwd: question.cwd ?? cwd,
      sessionId: '',
      signal,
    });
    return decision.action === 'allow';
  };
}
