import { createPluginLoader, type PluginEvent, type PluginInfo, type PluginLoader } from '@haft/dynamic-tools';
import type { ToolRegistry, Workspace } from '@haft/core';
import type { EventQueue, ToolkitDiagnostic } from '../events.ts';
import type { ToolkitOptions } from '../options/toolkit-options.ts';

/**
 * Creates the plugin loader of a toolkit without starting it. An invalid plugin causes a diagnostic and does not affect
 * the others.
 * @throws PluginError `INVALID_OPTION`.
 */
export function makePluginLoader(
  given: NonNullable<ToolkitOptions['plugins']>,
  {
    registry,
    workspace,
    events,
  }: { readonly registry: ToolRegistry; readonly workspace: Workspace; readonly events: EventQueue },
): PluginLoader {
  const options = typeof given === 'string' ? { directory: given } : given;
  const notify = createPartTeller(events);
  return createPluginLoader({
    logger: workspace.logger,
    ...options,
    registry,
    onEvent(event) {
      options.onEvent?.(event);
      notify(event);
      const diagnostic = describe(event, options.directory);
      if (diagnostic) events.emit({ type: 'diagnostic', diagnostic }, true);
    },
  });
}

/** Emits an event for each namespace whose prompts or resources changed. */
function createPartTeller(events: EventQueue): (event: PluginEvent) => void {
  const known = new Map<string, Pick<PluginInfo, 'prompts' | 'resources'>>();
  const none = { prompts: [], resources: [] };
  return (event) => {
    if (event.type !== 'loaded' && event.type !== 'replaced' && event.type !== 'removed') return;
    const namespace = event.type === 'removed' ? event.id : event.plugin.id;
    const before = known.get(namespace) ?? none;
    const now = event.type === 'removed' ? none : event.plugin;
    known.set(namespace, now);
    // A new version of an existing plugin also counts as a change, because its content may differ.
    if (before.prompts.length + now.prompts.length > 0) events.emit({ type: 'prompt-list-changed', namespace });
    if (before.resources.length + now.resources.length > 0) events.emit({ type: 'resource-list-changed', namespace });
  };
}

function describe(event: PluginEvent, directory: string): ToolkitDiagnostic | undefined {
  switch (event.type) {
    case 'failed': {
      const { id, phase, file, line, message } = event.failure;
      const place = file === '' ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
      const serving = event.serving ? '; the previous version still answers' : '';
      const text = `the plugin ${id} failed to ${phase}${place}: ${message}${serving}`;
      return { kind: 'plugin', namespace: id, message: text };
    }
    case 'not-granted':
      return { kind: 'plugin', namespace: event.id, message: `the plugin ${event.id}: ${event.message}` };
    case 'crashed':
      return { kind: 'plugin', namespace: event.id, message: `the plugin ${event.id} ${event.reason}` };
    case 'directory-missing':
    case 'watch-failed':
      return { kind: 'plugin', message: `the plugin directory ${directory}: ${event.message}` };
    default:
      return undefined;
  }
}
