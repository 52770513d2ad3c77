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
}

/** A logger that keeps nothing. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
