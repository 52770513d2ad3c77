import type { ToolRegistry } from '@haft/core';
import { createPluginLoader, type PluginEvent } from '@haft/dynamic-tools';

/** What {@link servePlugins} takes. */
export interface ServePluginsOptions {
  readonly dir: string;
  readonly registry: ToolRegistry;
  /** Is told one line about each plugin that comes, changes, fails or goes. */
  readonly note: (line: string) => void;
}

/** Serves a folder of plugins from now on; resolves when those that are there have been loaded or reported. */
export async function servePlugins(options: ServePluginsOptions): Promise<AsyncDisposable> {
  const { dir, registry, note } = options;
  const loader = createPluginLoader({
    dir,
    registry,
    isolation: 'inline',
    onEvent: (event) => {
      const line = describePluginEvent(event);
      if (line !== undefined) note(`haft: ${line}`);
    },
  });
  await loader.ready;
  return { [Symbol.asyncDispose]: () => loader.close() };
}

/** One line about what became of a plugin; `undefined` for what nobody needs to know. */
export function describePluginEvent(event: PluginEvent): string | undefined {
  switch (event.type) {
    case 'loaded':
      return `plugin ${event.plugin.id} ${event.plugin.version} is here: ${event.plugin.tools.join(', ')}`;
    case 'replaced':
      return `plugin ${event.plugin.id} ${event.plugin.version} has taken the place of the one before it`;
    case 'failed': {
      const { id, message, file, line } = event.failure;
      const place = file === '' ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
      return `plugin ${id} failed${place}: ${message}${event.serving ? '; the version before it still answers' : ''}`;
    }
    case 'removed':
      return `plugin ${event.id} is gone`;
    case 'folder-missing':
      return `the plugin folder ${event.dir} does not exist yet; plugins are loaded as soon as it does`;
    case 'watch-failed':
      return `the plugin folder can not be watched: ${event.message}`;
    default:
      return undefined;
  }
}
