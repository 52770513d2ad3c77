import { failure, toolError, type ToolContext, type ToolResult } from '@haft/core';
import { StoreError } from '@haft/store';
import { describeHolder } from '../../name-conflicts.ts';
import type { ToolDeps } from './lifecycle-tool-deps.ts';

/**
 * Runs an operation on the catalog. If the store fails, returns a failure with the fault `world` and the message of the
 * store.
 */
export async function withCatalog(context: ToolContext, work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return failure(
      context.callId,
      toolError('WRITE_ERROR', `the catalog of tools is not usable: ${error.code}`, { hint: error.hint, cause: error }),
    );
  }
}

/** Creates the failure for an unknown tool name. */
export function notGenerated(context: ToolContext, deps: ToolDeps, name: string): ToolResult {
  const holder = deps.registry.providerFor(name);
  const known = deps.infos().map((info) => info.name);
  const hint = known.length === 0 ? 'No tool was created with new_tool yet.' : `Use one of: ${known.join(', ')}.`;
  if (holder === undefined)
    return failure(context.callId, toolError('NOT_FOUND', `there is no tool ${JSON.stringify(name)}`, { hint }));
  const message = `${name} was not created with new_tool: it belongs to ${describeHolder(holder)} and can't be changed`;
  return failure(context.callId, toolError('PERMISSION_DENIED', message, { hint }));
}

/** Creates the failure for a tool that another writer has changed in the meantime. */
export function supersededFailure(context: ToolContext, name: string): ToolResult {
  const hint = 'Read it with read_tool_source, then call again.';
  return failure(
    context.callId,
    toolError('WRITE_ERROR', `${name} was changed by another writer; nothing was written`, {
      hint,
      retryable: true,
    }),
  );
}
