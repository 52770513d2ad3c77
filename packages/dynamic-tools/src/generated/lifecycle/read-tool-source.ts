import { defineTool, failure, success, toolError, type AnyTool } from '@haft/core';
import type { ToolFiles } from '../../catalog/tool-draft.ts';
import type { ToolDeps } from './lifecycle-tool-deps.ts';
import { notGenerated, withCatalog } from './lifecycle-tool-failures.ts';

/** Creates `read_tool_source`, which shows the files of a tool. */
export function createReadToolSource(deps: ToolDeps): AnyTool {
  return defineTool({
    name: 'read_tool_source',
    description:
      'Shows the source of a tool created with new_tool: of any version, of a removed tool, or of one that failed its trial.',
    input: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        version: { type: 'integer', minimum: 1, description: 'Default: the current version.' },
        quarantined: {
          type: 'boolean',
          description: 'true shows the last tool of this name that failed its trial, and why.',
        },
      },
      required: ['name'],
      additionalProperties: false,
    },
    kind: 'read',
    traits: { readOnly: true, openWorld: false },
    execute: ({ name, version, quarantined }, context) =>
      withCatalog(context, async () => {
        const { catalog } = deps;
        if (quarantined === true) {
          const { found } = await catalog.quarantined();
          const tool = found.find((one) => one.name === name);
          if (tool) return success(context.callId, `${show(tool.files)}\n\nIt failed:\n${tool.report}`);
          return failure(context.callId, toolError('NOT_FOUND', `no tool ${JSON.stringify(name)} is in quarantine`));
        }
        const kept = (await catalog.entry(name)) ?? (await catalog.discarded(name));
        if (!kept) return notGenerated(context, deps, name);
        const wanted = version ?? kept.entry.version;
        const source = await catalog.source(name, wanted);
        const known = kept.entry.versions.map((one) => one.version);
        if (!source || !known.includes(wanted)) {
          const hint = `Versions: ${known.join(', ')}.`;
          return failure(context.callId, toolError('NOT_FOUND', `${name} has no version ${wanted}`, { hint }));
        }
        return success(context.callId, `${name} version ${wanted} of ${known.join(', ')}\n\n${show(source.files)}`, {
          summary: `Source of ${name} version ${wanted}`,
        });
      }),
  }) as AnyTool;
}

function show(files: ToolFiles): string {
  return Object.entries(files)
    .map(([name, text]) => `--- ${name}\n${text.trimEnd()}`)
    .join('\n');
}
