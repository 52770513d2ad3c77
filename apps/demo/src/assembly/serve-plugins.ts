import type { ToolRegistry } from '@haft/core';
import { createPluginLoader, type PluginEvent } from '@haft/dynamic-tools';
import { showableLine } from '../show/showable.ts';

/** Options of {@link servePlugins}. */
export interface ServePluginsOptions {
  readonly directory: string;
  readonly registry: ToolRegistry;
  /** Whether plugins run inside this program. Otherwise each runs in its own jailed process, or not at all. */
  readonly isTrusted: boolean;
  /** Receives one line about each plugin that is loaded, changed, removed or fails. */
  readonly note: (line: string) => void;
}

/** Serves a folder of plugins. Resolves when all existing plugins have been loaded or reported. */
export async function servePlugins(options: ServePluginsOptions): Promise<AsyncDisposable> {
  const { directory, registry, isTrusted, note } = options;
  const say = (message: string, data?: Readonly<Record<string, unknown>>): void =>
    note(`haft: plugin ${String(data?.['plugin'])}: ${showableLine(message, 400)}`);
  const loader = createPluginLoader({
    directory,
    registry,
    isolation: isTrusted ? 'inline' : 'process',
    logger: { debug: () => undefined, info: say, warn: say, error: say },
    onEvent: (event) => {
      const line = describePluginEvent(event);
      if (line !== undefined) note(`haft: ${line}`);
    },
  });
  await loader.ready;
  return { [Symbol.asyncDispose]: () => loader.stop() };
}

/** Returns one line about a plugin event; `undefined` for unimportant events. */
export function describePluginEvent(event: PluginEvent): string | undefined {
  switch (event.type) {
    case 'loaded':
      return `plugin ${event.plugin.id} ${event.plugin.version} loaded: ${event.plugin.tools.join(', ')}`;
    case 'replaced':
      return `plugin ${event.plugin.id} ${event.plugin.version} replaces the previous version`;
    case 'failed': {
      const { id, message, file, line } = event.failure;
      const place = file === '' ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
      const advice = event.failure.phase === 'isolate' ? ' (--trust-plugins runs plugins inside this program)' : '';
      return `plugin ${id} failed${place}: ${message}${advice}${event.serving ? '; the previous version still serves calls' : ''}`;
    }
    case 'removed':
      return `plugin ${event.id} removed`;
    case 'directory-missing':
      return `the plugin folder ${event.directory} does not exist yet; plugins are loaded when it is created`;
    case 'watch-failed':
      return `the plugin folder cannot be watched: ${event.message}`;
    default:
      return undefined;
  }
}
