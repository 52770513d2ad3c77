import { defineTool, failure, success, toolError, type AnyTool, type ToolContext, type ToolResult } from '@haft/core';
import type { StoredEntry } from '../../catalog/create-catalog.ts';
import type { ToolDeps } from './lifecycle-tool-deps.ts';
import { notGenerated, supersededFailure, withCatalog } from './lifecycle-tool-failures.ts';

interface RollbackArguments {
  readonly name: string;
  readonly version?: number;
}

/** Creates `rollback_tool`, which restores an earlier version of a tool, or a removed tool. */
export function createRollbackTool(deps: ToolDeps): AnyTool {
  return defineTool({
    name: 'rollback_tool',
    description:
      'Restores an earlier version of a tool created with new_tool: the previous one, or the given one. Also restores a removed tool.',
    input: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        version: { type: 'integer', minimum: 1, description: 'Default: the previous version.' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    traits: { destructive: false, openWorld: false, sideEffects: 'write' },
    initialTitle: ({ name, version }) =>
      `Restore ${version === undefined ? 'the previous version' : `version ${version}`} of the tool ${name.slice(0, 64)}`,
    execute: (args, context) => withCatalog(context, () => rollBack(deps, args, context)),
  }) as AnyTool;
}

async function rollBack(
  deps: ToolDeps,
  { name, version }: RollbackArguments,
  context: ToolContext,
): Promise<ToolResult> {
  const { catalog, builder } = deps;
  let kept = await catalog.entry(name);
  const wasRemoved = kept === undefined;
  if (wasRemoved) {
    if (!(await catalog.discarded(name))) return notGenerated(context, deps, name);
    if (!(await catalog.recover(name))) return supersededFailure(context, name);
    kept = await catalog.entry(name);
    if (!kept) return supersededFailure(context, name);
  }
  const target = version ?? (wasRemoved ? kept!.entry.version : versionBefore(kept!));
  if (!kept!.entry.versions.some((one) => one.version === target)) {
    const known = kept!.entry.versions.map((one) => one.version).join(', ');
    if (wasRemoved) await deps.follow(name);
    const message = target === undefined ? `${name} has no previous version` : `${name} has no version ${target}`;
    return failure(context.callId, toolError('NOT_FOUND', message, { hint: `Versions: ${known}.` }));
  }
  if (target !== kept!.entry.version && !(await builder.rollBack(kept!, target!)))
    return supersededFailure(context, name);
  await deps.follow(name);
  const info = deps.infos().find((one) => one.name === name);
  if (info?.state !== 'live')
    return failure(
      context.callId,
      toolError('PLUGIN_FAILED', `${name} can't be called: ${info?.reason ?? 'it is missing'}`, { fault: 'world' }),
    );
  const text = `${name} is at version ${target} ${wasRemoved ? 'and can be called again' : 'now'}.`;
  return success(context.callId, text, { summary: text, structured: { name, version: target } });
}

function versionBefore({ entry }: StoredEntry): number | undefined {
  return entry.versions
    .map(({ version }) => version)
    .filter((version) => version < entry.version)
    .at(-1);
}
