import { asJson } from '../../../src/contract/as-json.ts';
import type { ServerMessageView } from '../../../src/contract/page-data.ts';
import { createMessageTitles } from '../../../src/servers/message-titles.ts';

/** A recorded session of an MCP client and a server. */
export interface RecordedSession {
  /** Name of its file. */
  readonly name: string;
  /** The first messages. `at` is in milliseconds since the start of the session. `text` is formatted when it is read. */
  readonly messages: readonly ServerMessageView[];
  /** Number of further messages. */
  readonly more: number;
}

/** Messages that the page shows. */
export const maxShown = 1_000;

/**
 * Reads the file of a session that `recordSession` of `@haft/mcp/inspect` has recorded. A last line that was cut off by a
 * crash is dropped.
 *
 * @throws Error that names the first line which is not a recorded message.
 */
export function readSession(name: string, text: string): RecordedSession {
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  const recorded = lines.flatMap(({ line, number }, index): readonly RecordedMessage[] => {
    const parsed = parse(line);
    if (parsed) return [parsed];
    const isCutOff = index > 0 && index === lines.length - 1 && !text.endsWith('\n');
    if (isCutOff) return [];
    throw new Error(
      `line ${number}: not a recorded message (expected { "at": 0, "from": "client", "message": { … } })`,
    );
  });
  if (recorded.length === 0) throw new Error('there are no recorded messages in it');
  const titleOf = createMessageTitles();
  const messages = recorded.slice(0, maxShown).map(({ at, from, message }) => ({
    at,
    from,
    title: titleOf(from, message),
    isError: 'error' in message,
    get text() {
      return asJson(message);
    },
  }));
  return { name, messages, more: recorded.length - messages.length };
}

interface RecordedMessage {
  readonly at: number;
  readonly from: 'client' | 'server';
  readonly message: object;
}

function parse(line: string): RecordedMessage | undefined {
  try {
    const { at, from, message } = (JSON.parse(line) ?? {}) as Readonly<Record<string, unknown>>;
    const isSound = typeof at === 'number' && typeof message === 'object' && message !== null;
    return isSound && (from === 'client' || from === 'server') ? { at, from, message } : undefined;
  } catch {
    return undefined;
  }
}
