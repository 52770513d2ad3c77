import { describeCause, type SteerSink, type ToolContext, type ToolRegistry } from '@haft/core';
import type { FetchLike, Transport } from '@modelcontextprotocol/client';
import { checkNames, type Names } from '../../check-names.ts';
import type { ConnectionHost } from './connection-host.ts';
import type { ConnectionEvent } from './connection-report.ts';
import { createLogin } from '../../login/create-login.ts';
import { defaultLoginTimeoutMs, type LoginOptions } from '../../login/login-options.ts';
import { McpError } from '../../mcp-error.ts';
import type { ToolApprovals } from './tool-approvals.ts';
import { toConnectionName } from '../../untrusted/wire-name.ts';

/** What {@link createConnection} takes: a command to start, an address, or a transport that leads to a server already. */
export interface ConnectionOptions {
  /**
   * Name of the connection, which its tools' names begin with; lower-cased, everything but letters and digits made `-`, at
   * most 24 characters. Default: what the server calls itself.
   */
  readonly name?: string;
  /** Executable of the server; found on PATH, never run through a shell. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** Variables for the server besides HOME, PATH and a few like them; nothing else is inherited. Never logged. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Instead of a command: where a server listens for Streamable HTTP, such as `https://example.com/mcp`. */
  readonly url?: string;
  /** Sent with every request to `url`, such as `authorization`. Never logged. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How requests to `url` are made; default the global `fetch`. */
  readonly fetch?: FetchLike;
  /** Lets a person log in where the server at `url` wants that. Default: nobody can; give `headers` instead. */
  readonly login?: LoginOptions;
  /** Whether a server at `url` that doesn't know Streamable HTTP is asked by the older HTTP+SSE; default true. */
  readonly sseFallback?: boolean;
  /** Instead of a command: any transport of the SDK, such as one half of its in-memory pair. */
  readonly transport?: Transport;
  /** Where the tools are registered, under `dynamic/mcp/<name>`. Without one they are only in `connection.tools`. */
  readonly registry?: ToolRegistry;
  /**
   * What becomes of a tool whose name, title, description or schemas the server changes after the tool was taken in. Default
   * `suspend`: it can't be used until `connection.approve(change)`; `accept` trusts the server with every change.
   */
  readonly changedTools?: 'suspend' | 'accept';
  /**
   * What was trusted of the tools in other runs, or how to find it for the name of the connection, once that is known; what this
   * throws ends connecting. Without it the first description that is seen is trusted.
   */
  readonly approvals?: ToolApprovals | ((connection: string) => Promise<ToolApprovals>);
  /** Which of the server's tools are taken, by the server's own names; default all. */
  readonly expose?: (remoteName: string) => boolean;
  /** Texts besides the values of `env` and `headers` that are taken out of every message. */
  readonly secrets?: readonly string[];
  /** Which generation of the protocol to speak; default `auto`: the newest that both sides know. */
  readonly era?: 'auto' | 'legacy';
  /** Answers what the server asks for: roots, sampling, elicitation. Default: all of it is declined. */
  readonly host?: ConnectionHost;
  /** Gets what the server tells without having been asked, as untrusted text: at most 20 messages a minute. */
  readonly steer?: SteerSink;
  /**
   * What is sent along with each call, as its `_meta`: a trace context, say, with `carry` of `@haft/otel`. Default nothing; what it
   * throws is dropped.
   */
  readonly meta?: (context: ToolContext) => Readonly<Record<string, unknown>> | undefined;
  /** Hears what happens to the connection. What it throws is dropped. */
  readonly onEvent?: (event: ConnectionEvent) => void;
  /**
   * Whether a server that is gone without having been asked to is brought back: at once the first time, then after pauses that
   * grow to a minute, at most 100 times. Its tools keep what was approved of them. Default true; a given `transport` can't be.
   */
  readonly restart?: boolean;
  /** Gives up connecting when it aborts. */
  readonly signal?: AbortSignal;
  /** Milliseconds to start the server, agree on a protocol and list its tools; default 30,000. */
  readonly startTimeoutMs?: number;
  /** Milliseconds a call may take without a sign of progress; default 60,000. */
  readonly idleTimeoutMs?: number;
  /** Milliseconds a call may take in all; default 600,000. */
  readonly requestTimeoutMs?: number;
  /**
   * Milliseconds that calls of single tools may take without a sign of progress, by the server's own names, where that is another
   * time than `idleTimeoutMs`; such a call may take so long in all, too, where that is more than `requestTimeoutMs`.
   */
  readonly toolTimeoutsMs?: Readonly<Record<string, number>>;
  /**
   * What becomes of an answer whose structured part does not fit what its tool promises. Default `note`: the model is told beside it;
   * `fail`: the call fails with `REMOTE_ERROR`.
   */
  readonly invalidResults?: 'note' | 'fail';
  /** Milliseconds the server gets to end by itself when the connection is closed, and again to end when told; default 1,000. */
  readonly closeGraceMs?: number;
  /** Descriptions beyond this many bytes are cut; default 4,096. */
  readonly maxDescriptionBytes?: number;
  /** Tools with an input schema beyond this many bytes of JSON are left out; default 32,768. */
  readonly maxSchemaBytes?: number;
  /** An answer beyond this many bytes fails its call; default 64 MiB. */
  readonly maxMessageBytes?: number;
  /** Pages of the list of tools that are read; default 1,000. */
  readonly maxPages?: number;
  /** Tools of the list that are read; default 100,000. */
  readonly maxTools?: number;
}

/** The options with every default filled in. */
export type FilledConnectionOptions = ConnectionOptions &
  Required<
    Pick<
      ConnectionOptions,
      | 'args'
      | 'env'
      | 'headers'
      | 'sseFallback'
      | 'era'
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
    /** Puts a person's token to requests; the same for every session, so that nobody logs in twice. */
    readonly authorize: ((next: FetchLike) => FetchLike) | undefined;
    /** Every token that a login has brought. */
    readonly tokens: ReadonlySet<string>;
    /** Milliseconds that a person may add to what a server takes. */
    readonly loginMs: number;
  };

/** Every option there is. */
export const connectionNames: Names<ConnectionOptions> = {
  name: true,
  command: true,
  args: true,
  env: true,
  cwd: true,
  url: true,
  headers: true,
  fetch: true,
  login: true,
  sseFallback: true,
  transport: true,
  registry: true,
  changedTools: true,
  approvals: true,
  expose: true,
  secrets: true,
  era: true,
  host: true,
  steer: true,
  meta: true,
  onEvent: true,
  restart: true,
  signal: true,
  startTimeoutMs: true,
  idleTimeoutMs: true,
  requestTimeoutMs: true,
  toolTimeoutsMs: true,
  invalidResults: true,
  closeGraceMs: true,
  maxDescriptionBytes: true,
  maxSchemaBytes: true,
  maxMessageBytes: true,
  maxPages: true,
  maxTools: true,
};

const loginNames: Names<LoginOptions> = {
  open: true,
  assertion: true,
  dpop: true,
  store: true,
  clientName: true,
  clientId: true,
  clientSecret: true,
  issuer: true,
  clientMetadataUrl: true,
  scope: true,
  port: true,
  timeoutMs: true,
};
const hostNames: Names<ConnectionHost> = { roots: true, sample: true, elicit: true };

const limits = [
  'startTimeoutMs',
  'idleTimeoutMs',
  'requestTimeoutMs',
  'closeGraceMs',
  'maxDescriptionBytes',
  'maxSchemaBytes',
  'maxMessageBytes',
  'maxPages',
  'maxTools',
] as const;
/** What a timer of Node can wait at most; no size comes near it either. */
const maxTimerMs = 2 ** 31 - 1;

/** @throws McpError `INVALID_OPTION`. */
export function fillConnectionOptions(options: ConnectionOptions): FilledConnectionOptions {
  checkNames('createConnection', options, connectionNames, '{ command: "npx", args: ["-y", "a-server"] }');
  const { command, transport, name, url } = options;
  if ([command, transport, url].filter((way) => way !== undefined).length !== 1) {
    throw new McpError(
      'INVALID_OPTION',
      'a connection needs one of a command to start, such as "npx", a url, such as "https://example.com/mcp", and a transport',
    );
  }
  if (command !== undefined && (typeof command !== 'string' || command.trim() === ''))
    throw new McpError('INVALID_OPTION', 'a connection needs a command that is not empty');
  if (url !== undefined && !isHttpUrl(url))
    throw new McpError(
      'INVALID_OPTION',
      `the url of a connection must begin with http:// or https:// and hold no user or password, not ${describeCause(url)}`,
    );
  if (name !== undefined && toConnectionName(name) === '') {
    throw new McpError(
      'INVALID_OPTION',
      `the connection name ${JSON.stringify(name)} has no letter or digit; expected one such as "github"`,
    );
  }
  if (![undefined, 'suspend', 'accept'].includes(options.changedTools))
    throw new McpError(
      'INVALID_OPTION',
      `changedTools must be 'suspend' or 'accept', not ${describeCause(options.changedTools)}`,
    );
  if (![undefined, 'note', 'fail'].includes(options.invalidResults))
    throw new McpError(
      'INVALID_OPTION',
      `invalidResults must be 'note' or 'fail', not ${describeCause(options.invalidResults)}`,
    );
  const checkLimit = (limit: string, given: unknown): void => {
    if (given !== undefined && !(typeof given === 'number' && given > 0 && given <= maxTimerMs))
      throw new McpError('INVALID_OPTION', `${limit} must be a number above 0, not ${describeCause(given)}`);
  };
  for (const limit of limits) checkLimit(limit, options[limit]);
  for (const [tool, given] of Object.entries(options.toolTimeoutsMs ?? {})) checkLimit(`toolTimeoutsMs.${tool}`, given);
  const { login } = options;
  if (login && (login.open === undefined) === (login.assertion === undefined))
    throw new McpError(
      'INVALID_OPTION',
      'login needs one of open(url), which shows an address to a person, and assertion(question), which vouches for a program',
    );
  if (login) checkNames('createConnection, login', login, loginNames, '{ open: (url) => … }');
  if (options.host) checkNames('createConnection, host', options.host, hostNames, '{ roots: () => [] }');
  if (login?.issuer !== undefined && !URL.canParse(login.issuer))
    throw new McpError(
      'INVALID_OPTION',
      `login.issuer must be the address by which an authorization server calls itself, such as "https://login.example.com", not ${describeCause(login.issuer)}`,
    );
  if (login?.clientSecret !== undefined && login.clientId === undefined)
    throw new McpError('INVALID_OPTION', 'login.clientSecret needs clientId, the name that it belongs to');
  if (login?.assertion && login.clientSecret !== undefined && login.issuer === undefined)
    throw new McpError(
      'INVALID_OPTION',
      'login.clientSecret needs issuer where there is assertion: no person sees which authorization server it is sent to',
    );
  if (login?.assertion && login.clientId === undefined)
    throw new McpError('INVALID_OPTION', 'login.assertion needs clientId, as which the program is known there');
  const tokens = new Set<string>();
  return {
    ...options,
    authorize: login && url !== undefined ? createLogin(login, new URL(url), (token) => tokens.add(token)) : undefined,
    tokens,
    loginMs: login ? (login.timeoutMs ?? defaultLoginTimeoutMs) : 0,
    args: options.args ?? [],
    env: options.env ?? {},
    headers: options.headers ?? {},
    sseFallback: options.sseFallback ?? true,
    era: options.era ?? 'auto',
    restart: (options.restart ?? true) && transport === undefined,
    changedTools: options.changedTools ?? 'suspend',
    startTimeoutMs: options.startTimeoutMs ?? 30_000,
    toolTimeoutsMs: options.toolTimeoutsMs ?? {},
    invalidResults: options.invalidResults ?? 'note',
    idleTimeoutMs: options.idleTimeoutMs ?? 60_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 600_000,
    closeGraceMs: options.closeGraceMs ?? 1_000,
    maxDescriptionBytes: options.maxDescriptionBytes ?? 4_096,
    maxSchemaBytes: options.maxSchemaBytes ?? 32_768,
    maxMessageBytes: options.maxMessageBytes ?? 64 * 1024 * 1024,
    maxPages: options.maxPages ?? 1_000,
    maxTools: options.maxTools ?? 100_000,
  };
}

function isHttpUrl(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
