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
  const say = (message: string, data?: Readonly<Record<string, unknown>>): void => {
    const name = `plugin ${String(data?.['plugin'])}`;
    // The loader names the plugin itself; output of a plugin does not.
    const isNamed = data?.['plugin'] === undefined || message.includes(name);
    note(`haft: ${isNamed ? '' : `${name}: `}${showableLine(message, 400)}`);
  };
  const loader = createPluginLoader({
    directory,
    registry,
    isolation: isTrusted ? 'inline' : 'process',
    logger: { debug: () => undefined, info: say, warn: say, error: say },
    onEvent: (event) => {
      if (event.type === 'failed') {
        // The logger gets the reason.
        if (event.failure.phase === 'isolate') note('haft: --trust-plugins runs plugins inside this program');
        return;
      }
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
      return `plugin ${id} failed${place}: ${message}${event.serving ? '; the previous version still serves calls' : ''}`;
    }
    case 'removed':
      return `plugin ${event.id} removed`;
    default:
      return undefined;
  }
}
