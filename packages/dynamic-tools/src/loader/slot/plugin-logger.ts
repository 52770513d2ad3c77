import type { Logger } from '@haft/core';

/** The logger of one plugin: its lines carry the plugin's id, and what the program's own logger throws is dropped. */
export function createPluginLogger(logger: Logger, id: string): Logger {
  const write =
    (level: keyof Logger) =>
    (message: string, data?: Readonly<Record<string, unknown>>): void => {
      try {
        logger[level](message, { ...data, plugin: id });
      } catch {
        // A logger that fails costs no plugin its work.
      }
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
