import { cleanText } from '@haft/sandbox';
import { cleanLine, cutBytes } from '../../untrusted/clean-text.ts';

/** Log levels, least severe first. */
export const logLevels: readonly ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** Severity of a log message. */
export type LogLevel = (typeof logLevels)[number];

/** A notification from a server. */
export type ServerMessage =
  /** A log message. */
  | { readonly type: 'log'; readonly level: LogLevel; readonly logger: string; readonly text: string }
  /** A subscribed resource has new content. */
  | { readonly type: 'resource-updated'; readonly uri: string }
  | { readonly type: 'prompt-list-changed' }
  | { readonly type: 'resource-list-changed' };

/** Maximum size of a message's text in bytes of UTF-8. */
export const maxMessageTextBytes = 2_048;

/** Reads a notification, with its text cleaned and cut. Returns undefined for unknown methods. */
export function readServerMessage(method: string, params: unknown): ServerMessage | undefined {
  const given = (typeof params === 'object' && params !== null ? params : {}) as Readonly<Record<string, unknown>>;
  switch (method) {
    case 'notifications/message': {
      const { level, logger, data } = given;
      const known = logLevels.find((one) => one === level) ?? 'info';
      return {
        type: 'log',
        level: known,
        logger: typeof logger === 'string' ? cleanLine(logger, 80) : '',
        text: cutBytes(cleanText(readData(data)), maxMessageTextBytes),
      };
    }
    case 'notifications/resources/updated':
      return { type: 'resource-updated', uri: typeof given['uri'] === 'string' ? cleanLine(given['uri'], 512) : '' };
    case 'notifications/prompts/list_changed':
      return { type: 'prompt-list-changed' };
    case 'notifications/resources/list_changed':
      return { type: 'resource-list-changed' };
    default:
      return undefined;
  }
}

/** Characters to read. The text is cleaned and cut later. */
const readCharacters = 16_384;

function readData(data: unknown): string {
  if (typeof data === 'string') return data.slice(0, readCharacters);
  try {
    return (JSON.stringify(data) ?? '').slice(0, readCharacters);
  } catch {
    return '';
  }
}
