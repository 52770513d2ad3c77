import type { Logger } from '@haft/core';

/**
 * Creates the logger of one plugin. It adds the plugin's id to each line, and ignores exceptions of the program's
 * logger.
 */
export function createPluginLogger(logger: Logger, id: string): Logger {
  const write =
    (level: keyof Logger) =>
    (message: string, data?: Readonly<Record<string, unknown>>): void => {
      try {
        logger[level](message, { ...data, plugin: id });
      } catch {
        // A failing logger must not affect the plugin.
      }
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
