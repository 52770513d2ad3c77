/** A log for people or an MCP client. */
export interface Logger {
  debug(message: string, data?: Readonly<Record<string, unknown>>): void;
  info(message: string, data?: Readonly<Record<string, unknown>>): void;
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
  error(message: string, data?: Readonly<Record<string, unknown>>): void;
}

/** The conversation that a call belongs to. */
export interface Session {
  readonly id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /**
   * Name and version that the client, such as an MCP client, reports. Not trustworthy: never base permissions on it.
   */
  readonly clientInfo?: { readonly name: string; readonly version: string; readonly title?: string };
  /** Capabilities that the client declares, by name, such as `{ sampling: {} }`. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Who makes the call, if the server has authenticated the sender. Permissions may depend on it. */
  readonly caller?: SessionCaller;
  /** Sends log lines to the client. Tools log here too. */
  readonly logger?: Logger;
  /** Sends requests to the client during a call. Absent if the client can't be asked. */
  readonly peer?: SessionPeer;
}

/** An authenticated caller. */
export interface SessionCaller {
  /** Identifies the user, or the client program if it acts for no user. No two callers have the same. */
  readonly id: string;
  /** The client program, as the authorization server knows it. */
  readonly clientId: string;
  /** The user, as the authorization server knows them; undefined if the token names none. */
  readonly subject?: string;
  readonly scopes: readonly string[];
  /** Further claims of the token, as the server's token check returned them. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * Sends requests to the client of a session. If the protocol does not support open requests, these methods throw, and
 * the body runs again from the start once the answers arrive. Make requests before any side effects, and do not catch
 * the thrown value.
 */
export interface SessionPeer {
  /**
   * Shows a form to the user. The schema is a JSON Schema of an object with primitive properties. Absent if the client
   * does not support elicitation. `key` identifies the request if a repeated body may make its requests in another
   * order.
   */
  elicit?(message: string, schema: Readonly<Record<string, unknown>>, key?: string): Promise<PeerAnswer>;
  /** Requests a completion from the client's model. Absent if the client does not support sampling. */
  sample?(request: PeerSampling, key?: string): Promise<{ readonly text: string; readonly model: string }>;
  /** Returns the directories and locations that the client works in. Absent if the client does not support roots. */
  roots?(key?: string): Promise<readonly { readonly uri: string; readonly name?: string }[]>;
}

/** The outcome of a form. `content` matches its schema. */
export type PeerAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

/** A request for a completion by the client's model. */
export interface PeerSampling {
  /** The prompt. */
  readonly prompt: string;
  readonly systemPrompt?: string;
  readonly maxOutputTokens: number;
}

/** A logger that discards everything. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
