import type { SteerSink, ToolContext, ToolRegistry } from '@haft/core';
import type { ConnectionHost } from './connection-host.ts';
import type { ConnectionEvent } from './connection-report.ts';
import type { LoginOptions } from '../../login/login-options.ts';
import type { JsonRpcMessage } from '../../protocol/message.ts';
import type { FetchLike, Transport } from '../../protocol/transport.ts';
import type { LogLevel } from './server-message.ts';
import type { ServerEras } from './server-eras.ts';
import type { ToolApprovals } from './tool-approvals.ts';

/** Options of {@link createConnection}. Exactly one of `command`, `url` and `transport` is required. */
export interface ConnectionOptions {
  /**
   * Name of the connection and prefix of its tool names: at most 24 lower-case letters, digits and `-`. Default: the name
   * that the server reports, converted to these characters.
   */
  readonly name?: string;
  /** Program that starts the server, looked up on PATH. No shell is used. */
  readonly command?: string;
  readonly args?: readonly string[];
  /**
   * Environment variables for the server, added to HOME, PATH and a few others, and to those of certificates and proxies
   * (`NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE`, `HTTPS_PROXY`…). Never logged.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Further variables of this program's environment that the server inherits, by name. Never logged. */
  readonly inheritEnvironment?: readonly string[];
  readonly cwd?: string;
  /** URL of a Streamable HTTP server, such as `https://example.com/mcp`. */
  readonly url?: string;
  /** Sent with every request to `url`, such as `authorization`. Never logged. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Function that sends requests to `url`. Default: the global `fetch`. */
  readonly fetch?: FetchLike;
  /** How to log in if the server at `url` requires it. Default: no login. `headers` may hold a token instead. */
  readonly login?: LoginOptions;
  /**
   * Whether to try the older HTTP+SSE transport if the server at `url` does not support Streamable HTTP. Default true.
   */
  readonly sseFallback?: boolean;
  /** A custom transport, or a transport of the MCP SDK, such as one half of its in-memory pair. */
  readonly transport?: Transport;
  /** Registry for the tools, under `dynamic/mcp/<name>`. Without one, they are only in `connection.tools`. */
  readonly registry?: ToolRegistry;
  /**
   * How to treat a tool whose name, title, description, schemas or annotations the server changes. `suspend` (default):
   * it can't be used until `connection.approve(change)`. `accept`: every change is trusted.
   */
  readonly changedTools?: 'suspend' | 'accept';
  /**
   * Tool definitions trusted in earlier runs, or a function that loads them for the connection's name. If it rejects,
   * connecting fails. Default: the first definition of each tool is trusted.
   */
  readonly approvals?: ToolApprovals | ((connection: string) => Promise<ToolApprovals>);
  /** Selects the server's tools to register, by their names on the server. Default: all. */
  readonly expose?: (remoteName: string) => boolean;
  /**
   * Says which tools only read, by their names on the server. A call of such a tool still needs a rule or an answer,
   * but counts as reading, also in the mode `read-only`. Default: none, since the server's own hints are not trusted.
   */
  readonly readOnly?: (remoteName: string) => boolean;
  /** Strings to redact from all messages, besides the values of `env` and `headers`. */
  readonly secrets?: readonly string[];
  /** Protocol era: `legacy` (up to 2025-11-25), or `auto`, the newest that both sides support. Default `auto`. */
  readonly era?: 'auto' | 'legacy';
  /**
   * Remembers servers that don't answer the probe for the modern era. Default: in memory. A connection manager
   * remembers them in its store.
   */
  readonly eras?: ServerEras;
  /** Answers requests of the server: roots, sampling, elicitation. Default: all are declined. */
  readonly host?: ConnectionHost;
  /** Receives the server's notifications as untrusted text: at most 20 messages a minute. */
  readonly steer?: SteerSink;
  /**
   * Least important log messages to receive. Default: `info` for servers of the modern era if `steer` or `onEvent` is
   * given, which send no messages otherwise. For other servers, the server chooses.
   */
  readonly logLevel?: LogLevel;
  /**
   * Resources to subscribe to once connected, by their URIs, or `all` (at most 1,000). Their changes arrive as
   * `resource-updated` events and through `steer`. A subscription that fails is a diagnostic. Default: none.
   */
  readonly subscribe?: readonly string[] | 'all';
  /**
   * Returns metadata to send as `_meta` with each call, such as a trace context (`getTraceContext` of `@haft/otel`). Default:
   * nothing. Errors are dropped.
   */
  readonly meta?: (context: ToolContext) => Readonly<Record<string, unknown>> | undefined;
  /**
   * Called with each protocol message that is sent or received, without the values of `env`, `headers` and `secrets`.
   * Errors are dropped.
   */
  readonly onMessage?: (sent: { readonly from: 'client' | 'server'; readonly message: JsonRpcMessage }) => void;
  /** Called for each event of the connection. Errors are dropped. */
  readonly onEvent?: (event: ConnectionEvent) => void;
  /**
   * Whether to restart a server that was lost: at once, then with backoff of up to a minute, at most 100 times. Its
   * tools stay approved. Default true; ignored for a given `transport`.
   */
  readonly restart?: boolean;
  /** Cancels connecting. */
  readonly signal?: AbortSignal;
  /** Milliseconds to start the server, negotiate the protocol and list its tools. Default 30,000. */
  readonly startTimeoutMs?: number;
  /** Milliseconds that a call may take without progress. Default 60,000. */
  readonly idleTimeoutMs?: number;
  /** Milliseconds that a call may take in total. Default 600,000. */
  readonly requestTimeoutMs?: number;
  /**
   * Idle timeouts of single tools in milliseconds, by their names on the server. They override `idleTimeoutMs`, and
   * `requestTimeoutMs` where they are longer.
   */
  readonly toolTimeoutsMs?: Readonly<Record<string, number>>;
  /**
   * How to treat a result whose structured content does not match the tool's output schema. `note` (default): the model
   * gets a note. `fail`: the call fails with `REMOTE_ERROR`.
   */
  readonly invalidResults?: 'note' | 'fail';
  /** Milliseconds to wait for the server to exit after its input is closed, and again after SIGTERM. Default 1,000. */
  readonly closeGraceMs?: number;
  /** Maximum size of a description in bytes. A longer one is cut. Default 8,192. */
  readonly maxDescriptionBytes?: number;
  /** Maximum size of an input schema in bytes of JSON. A tool with a larger one is skipped. Default 32,768. */
  readonly maxSchemaBytes?: number;
  /** Maximum size of a response in bytes. A larger one fails its call. Default 64 MiB. */
  readonly maxMessageBytes?: number;
  /** Maximum number of pages read from a list. Default 1,000. */
  readonly maxPages?: number;
  /** Maximum number of tools read. Default 100,000. */
  readonly maxTools?: number;
}

/** The options with defaults applied. */
export type FilledConnectionOptions = ConnectionOptions &
  Required<
    Pick<
      ConnectionOptions,
      | 'args'
      | 'env'
      | 'inheritEnvironment'
      | 'headers'
      | 'sseFallback'
      | 'era'
      | 'eras'
      | 'restart'
      | 'changedTools'
      | 'toolTimeoutsMs'
      | 'invalidResults'
      | 'startTimeoutMs'
      | 'idleTimeoutMs'
      | 'requestTimeoutMs'
      | 'closeGraceMs'
      | 'maxDescriptionBytes'
      | 'maxSchemaBytes'
      | 'maxMessageBytes'
      | 'maxPages'
      | 'maxTools'
    >
  > & {
    /** Adds the user's token to requests. All sessions share it, so that the user logs in once. */
    readonly authorize: ((next: FetchLike) => FetchLike) | undefined;
    /** Every token obtained by a login. */
    readonly tokens: ReadonlySet<string>;
    /** Milliseconds that a login may add to connecting. */
    readonly loginMs: number;
  };
