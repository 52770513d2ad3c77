import type { Logger } from '@haft/core';
import type { PluginEvent, PluginFailure } from '../plugin-report.ts';

/** Writes everything that went wrong to the log of the program. */
export function logEvent(event: PluginEvent, logger: Logger): void {
  switch (event.type) {
    case 'failed': {
      const { id, phase } = event.failure;
      // Disabling a plugin is a choice, not a fault.
      logger[phase === 'disabled' ? 'info' : 'warn'](describeFailure(event.failure, event.serving), { plugin: id });
      break;
    }
    case 'not-granted':
      logger.warn(`the plugin ${event.id}: ${event.message}`, { plugin: event.id });
      break;
    case 'crashed':
      logger.warn(
        `the process of the plugin ${event.id} ${event.reason}; the next call after ${event.retryAfterMs} ms starts it again`,
        { plugin: event.id },
      );
      break;
    case 'directory-missing':
      logger.warn(`${event.directory}: ${event.message}`);
      break;
    case 'watch-failed':
      logger.warn(event.message);
      break;
    default:
  }
}

function describeFailure({ id, phase, message, file, line }: PluginFailure, serving: boolean): string {
  if (phase === 'dispose') return `the plugin ${id}: ${message}`;
  const place = file === '' ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
  return serving
    ? `the new version of the plugin ${id} is not loaded${place}: ${message}; the previous version still answers`
    : `the plugin ${id} is not loaded${place}: ${message}`;
}
