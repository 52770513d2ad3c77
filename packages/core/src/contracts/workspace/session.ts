/** Where a tool may write lines that people or an MCP client read. */
export interface Logger {
  debug(message: string, data?: Readonly<Record<string, unknown>>): void;
  info(message: string, data?: Readonly<Record<string, unknown>>): void;
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
  error(message: string, data?: Readonly<Record<string, unknown>>): void;
}

/** The conversation a call belongs to. */
export interface Session {
  readonly id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The program at the other end, such as an MCP client, as it calls itself: nothing to rest permission on. */
  readonly clientInfo?: { readonly name: string; readonly version: string; readonly title?: string };
  /** What the program at the other end says it can do, by name, such as `{ sampling: {} }`. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Where lines for the program at the other end go; what tools log goes there too. */
  readonly logger?: Logger;
  /** What the program at the other end can be asked while a call runs; absent where nothing can. */
  readonly peer?: SessionPeer;
}

/**
 * Asks the program at the other end of a session. Where that speaks a protocol without open questions, asking throws, and the
 * body is run again from its beginning once the answers are there: ask before anything is changed, and let what is thrown pass.
 */
export interface SessionPeer {
  /**
   * Puts a form to its person: a JSON Schema of an object with plain members. Absent when it says it can't. A `key` names the
   * question where a body that is run again may ask in another order.
   */
  elicit?(message: string, schema: Readonly<Record<string, unknown>>, key?: string): Promise<PeerAnswer>;
  /** Lets its model write. Absent when it says it can't. */
  sample?(request: PeerSampling, key?: string): Promise<{ readonly text: string; readonly model: string }>;
  /** Folders and places that it works in. Absent when it says it can't. */
  roots?(key?: string): Promise<readonly { readonly uri: string; readonly name?: string }[]>;
}

/** What became of a form; `content` fits its schema. */
export type PeerAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

/** What a model at the other end is to write. */
export interface PeerSampling {
  /** What it is asked. */
  readonly prompt: string;
  readonly systemPrompt?: string;
  readonly maxOutputTokens: number;
}

/** A logger that keeps nothing. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
