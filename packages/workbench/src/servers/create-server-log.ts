import { asJson } from '../contract/as-json.ts';
import { createChangeSignal, type ChangeSignal } from '../contract/change-signal.ts';
import type { ServerMessageView } from '../contract/page-data.ts';
import { createMessageTitles } from './message-titles.ts';

/** Options of a connection that the log follows. */
export interface FollowedConnection {
  readonly onMessage: (sent: { readonly from: 'client' | 'server'; readonly message: object }) => void;
  readonly login: { readonly open: (url: URL) => void };
}

/** The latest protocol messages of MCP servers, and where users log in. */
export interface ServerLog extends Pick<ChangeSignal, 'onChange'> {
  /** Returns options for the connection of this name. Omit `login` for a server that needs none. */
  follow(name: string): FollowedConnection;
  /** Returns the latest messages of a server, oldest first. */
  list(name: string): readonly ServerMessageView[];
  /** Returns the URL at which the user logs in at a server. */
  loginOf(name: string): string | undefined;
}

/** Options of {@link createServerLog}. */
export interface ServerLogOptions {
  /** Maximum number of messages for each server. The oldest are dropped. Default: 300. */
  readonly maxMessages?: number;
}

interface Sent {
  readonly at: number;
  readonly from: 'client' | 'server';
  readonly message: object;
  readonly title: string;
}

/**
 * Creates an empty log for the page Servers.
 *
 * @example
 * import { createServerLog } from '@haft/workbench';
 * createServerLog().list('files'); // => []
 */
export function createServerLog({ maxMessages = 300 }: ServerLogOptions = {}): ServerLog {
  const servers = new Map<string, Sent[]>();
  const logins = new Map<string, string>();
  const { notify, onChange } = createChangeSignal();
  return {
    onChange,
    follow(name) {
      const sent: Sent[] = [];
      servers.set(name, sent);
      const titleOf = createMessageTitles();
      return {
        onMessage({ from, message }) {
          sent.push({ at: Date.now(), from, message, title: titleOf(from, message) });
          if (sent.length > maxMessages) sent.splice(0, sent.length - maxMessages);
          notify();
        },
        login: {
          open(url) {
            logins.set(name, url.href);
            notify();
          },
        },
      };
    },
    list: (name) =>
      (servers.get(name) ?? []).map(({ at, from, message, title }) => ({
        at,
        from,
        title,
        isError: 'error' in message,
        text: asJson(message),
      })),
    loginOf: (name) => logins.get(name),
  };
}
