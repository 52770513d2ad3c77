import { defineTool, failure, success, toolError, type AnyTool } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import type { PluginInfo } from '../plugin-report.ts';

/** Dependencies of the lifecycle tools. */
export interface LifecycleDeps {
  plugins(): readonly PluginInfo[];
  /** Whether the watched folder exists. */
  hasFolder(): boolean;
  reload(id: string): Promise<PluginInfo | undefined>;
}

/** Creates `list_plugins` and `reload_plugin`. */
export function createLifecycleTools(deps: LifecycleDeps): readonly AnyTool[] {
  return [eraseTool(listPlugins(deps)), eraseTool(reloadPlugin(deps))];
}

function listPlugins(deps: LifecycleDeps): AnyTool {
  return defineTool({
    name: 'list_plugins',
    description: 'Lists the plugins: live ones with their tools, and failed ones with the file and line of the error.',
    input: { type: 'object', properties: {}, additionalProperties: false },
    kind: 'read',
    traits: { readOnly: true, openWorld: false },
    execute: (_args, context) => {
      const plugins = deps.plugins();
      const text = plugins.length === 0 ? nonePhrase(deps) : plugins.map(describe).join('\n');
      return success(context.callId, text, { structured: { plugins }, summary: `${plugins.length} plugins` });
    },
  }) as AnyTool;
}

function reloadPlugin(deps: LifecycleDeps): AnyTool {
  return defineTool({
    name: 'reload_plugin',
    description: 'Reloads a plugin from its files and reports whether the new version is active.',
    input: {
      type: 'object',
      properties: { id: { type: 'string', description: 'Id of the plugin, as list_plugins shows it.' } },
      required: ['id'],
      additionalProperties: false,
    },
    initialTitle: ({ id }) => `Reload plugin ${id}`,
    execute: async ({ id }, context) => {
      const plugin = await deps.reload(id);
      if (!plugin) {
        const known = deps.plugins().map((other) => other.id);
        const hint = known.length === 0 ? nonePhrase(deps) : `Use one of: ${known.join(', ')}.`;
        return failure(context.callId, toolError('NOT_FOUND', `there is no plugin ${JSON.stringify(id)}`, { hint }));
      }
      if (!plugin.failure) return success(context.callId, describe(plugin), { structured: { plugin } });
      const hint =
        plugin.state === 'outdated' ? 'The previous version still answers.' : 'Fix the plugin, then reload it.';
      return failure(context.callId, toolError('PLUGIN_FAILED', describe(plugin), { fault: 'world', hint }), {
        structured: { plugin },
      });
    },
  }) as AnyTool;
}

function nonePhrase(deps: LifecycleDeps): string {
  return deps.hasFolder() ? 'There are no plugins.' : 'There are no plugins: their folder does not exist yet.';
}

/** Describes a plugin in one line. */
function describe(plugin: PluginInfo): string {
  const { failure: reason } = plugin;
  const head = plugin.version === '' ? plugin.id : `${plugin.id} ${oneLine(plugin.version, 40)}`;
  const brought = (['tools', 'prompts', 'resources', 'hooks'] as const)
    .filter((part) => plugin[part].length > 0)
    .map((part) => `${part}: ${oneLine(plugin[part].join(', '), 2_000)}`);
  const served = brought.length === 0 ? '' : ` (${brought.join('; ')})`;
  if (!reason)
    return `${head} live${served}${plugin.description === '' ? '' : `: ${oneLine(plugin.description, 200)}`}`;
  const place =
    reason.file === '' ? '' : ` in ${reason.file}${reason.line === undefined ? '' : ` line ${reason.line}`}`;
  const state = plugin.state === 'outdated' ? `outdated, the previous version still answers${served};` : '';
  return `${head} ${state === '' ? '' : `${state} `}failed (${reason.phase})${place}: ${oneLine(reason.message, 400)}`;
}

function oneLine(text: string, limit: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}
