import { createPluginLoader, type PluginEvent, type PluginLoader } from '@haft/dynamic-tools';
import type { ToolRegistry, Workspace } from '@haft/core';
import type { EventQueue, ToolkitDiagnostic } from '../events.ts';
import type { ToolkitOptions } from '../toolkit-options.ts';

/**
 * Makes the loader of a toolkit's plugins, not started yet. One bad plugin is a diagnostic and stops nobody else.
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
  const options = typeof given === 'string' ? { dir: given } : given;
  return createPluginLoader({
    logger: workspace.logger,
    ...options,
    registry,
    onEvent(event) {
      options.onEvent?.(event);
      const diagnostic = describe(event, options.dir);
      if (diagnostic) events.emit({ type: 'diagnostic', diagnostic });
    },
  });
}

function describe(event: PluginEvent, dir: string): ToolkitDiagnostic | undefined {
  switch (event.type) {
    case 'failed': {
      const { id, phase, file, line, message } = event.failure;
      const place = file === '' ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
      const serving = event.serving ? '; the version before it still answers' : '';
      const text = `the plugin ${id} failed to ${phase}${place}: ${message}${serving}`;
      return { kind: 'plugin', namespace: id, message: text };
    }
    case 'crashed':
      return { kind: 'plugin', namespace: event.id, message: `the plugin ${event.id} ${event.reason}` };
    case 'folder-missing':
    case 'watch-failed':
      return { kind: 'plugin', message: `the folder of plugins ${dir}: ${event.message}` };
    default:
      return undefined;
  }
}
