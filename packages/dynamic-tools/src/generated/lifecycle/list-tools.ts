import { defineTool, success, type AnyTool } from '@haft/core';
import { isUnderProvider } from '@haft/core/registry';
import type { GeneratedToolInfo } from '../store/generated-report.ts';
import type { ToolDeps } from './lifecycle-tool-deps.ts';
import { withCatalog } from './lifecycle-tool-failures.ts';

/** Creates `list_tools`, which lists the tools that were added at run time, and why some can't be called. */
export function createListTools(deps: ToolDeps): AnyTool {
  return defineTool({
    name: 'list_tools',
    description:
      "Lists the tools that were added at run time (created with new_tool, by plugins or connections), with their provider, and generated tools that can't be called, with the reason.",
    input: {
      type: 'object',
      properties: {
        provider: {
          type: 'string',
          description: 'Provider, such as "dynamic/plugin" or "builtin". Default "dynamic".',
        },
      },
      additionalProperties: false,
    },
    kind: 'read',
    traits: { readOnly: true, openWorld: false },
    execute: ({ provider = 'dynamic' }, context) =>
      withCatalog(context, async () => {
        const { registry, catalog } = deps;
        const infos = deps.infos();
        const tools = registry.snapshot().tools.flatMap((tool) => {
          const holder = registry.providerFor(tool.name) ?? '';
          return isUnderProvider(holder, provider)
            ? [{ name: tool.name, provider: holder, description: tool.description }]
            : [];
        });
        const blocked = infos.filter(({ state }) => state !== 'live');
        const { found: removed } = await catalog.trash();
        const { found: quarantined } = await catalog.quarantined();
        const isShown = isUnderProvider('dynamic/generated', provider);
        const lines = [
          ...tools.map(
            (tool) => `${tool.name} (${tool.provider}${versionOf(infos, tool.name)}): ${firstLine(tool.description)}`,
          ),
          ...(isShown ? blocked.map((info) => `${info.name} can't be called, ${info.state}: ${info.reason}`) : []),
          ...(isShown ? removed.map(({ entry }) => `${entry.name} was removed; restore it with rollback_tool`) : []),
          ...(isShown ? quarantined.map(({ name }) => `${name} failed its trial; see read_tool_source`) : []),
        ];
        const text = lines.length === 0 ? `${provider} has no tools.` : lines.join('\n');
        return success(context.callId, text, {
          summary: `${tools.length} tools`,
          structured: {
            tools,
            blocked: isShown ? blocked : [],
            removed: isShown ? removed.map(({ entry }) => entry.name) : [],
            quarantined: isShown ? quarantined.map(({ name }) => name) : [],
          },
        });
      }),
  }) as AnyTool;
}

function versionOf(infos: readonly GeneratedToolInfo[], name: string): string {
  const info = infos.find((one) => one.name === name && one.state === 'live');
  return info ? `, version ${info.version}` : '';
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
