import type { AuthInfo } from './auth-info.ts';
import type { JsonRpcMessage } from './message.ts';

/** A function with the signature of the global `fetch`. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Options of {@link Transport.send}. */
export interface TransportSendOptions {
  /** The incoming request that the message belongs to. */
  relatedRequestId?: string | number | undefined;
  resumptionToken?: string | undefined;
  onresumptiontoken?: ((token: string) => void) | undefined;
  /** Cancels the HTTP request of this message alone. Transports with one channel ignore it. */
  requestSignal?: AbortSignal | undefined;
  onRequestStreamEnd?: (() => void) | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Information about a received message that only the transport has. */
export interface ReceivedMessageInfo {
  request?: Request;
  classification?: { era: 'legacy' | 'modern'; revision?: string };
  authInfo?: AuthInfo;
  closeSSEStream?: () => void;
  closeStandaloneSSEStream?: () => void;
}

/**
 * Carries the messages of one session. The transports of the MCP SDK have this interface, such as one half of its in-memory
 * pair.
 */
export interface Transport {
  /** Starts receiving. Called once, after the callbacks have been set. */
  start(): Promise<void>;
  send(message: JsonRpcMessage, options?: TransportSendOptions): Promise<void>;
  /** Ends the session. Also calls `onclose`. */
  close(): Promise<void>;
  /** Whether each request has a stream of its own, which `requestSignal` cancels. */
  readonly hasPerRequestStream?: boolean;
  onclose?: (() => void) | undefined;
  /** Called for errors that do not end the session. */
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonRpcMessage, info?: ReceivedMessageInfo) => void) | undefined;
  sessionId?: string | undefined;
  setProtocolVersion?: ((version: string) => void) | undefined;
  setSupportedProtocolVersions?: ((versions: string[]) => void) | undefined;
}
