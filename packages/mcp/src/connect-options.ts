import { describeCause, type ToolRegistry } from '@haft/core';
import type { Transport } from '@modelcontextprotocol/client';
import type { ConnectionEvent } from './connection-report.ts';
import { McpError } from './mcp-error.ts';
import { toConnectionName } from './wire-name.ts';

/** What {@link connect} takes: a command to start, or a transport that leads to a server already. */
export interface ConnectOptions {
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
  /** Instead of a command: any transport of the SDK, such as one half of its in-memory pair. */
  readonly transport?: Transport;
  /** Where the tools are registered, under `dynamic/mcp/<name>`. Without one they are only in `connection.tools`. */
  readonly registry?: ToolRegistry;
  /**
   * What becomes of a tool whose name, title, description or schemas the server changes after the tool was taken in. Default
   * `suspend`: it can't be used until `connection.approve(change)`; `take` trusts the server with every change.
   */
  readonly changedTools?: 'suspend' | 'take';
  /** Which generation of the protocol to speak; default `auto`: the newest that both sides know. */
  readonly era?: 'auto' | 'legacy';
  /** Hears what happens to the connection. What it throws is dropped. */
  readonly onEvent?: (event: ConnectionEvent) => void;
  /** Gives up connecting when it aborts. */
  readonly signal?: AbortSignal;
  /** Milliseconds to start the server, agree on a protocol and list its tools; default 30,000. */
  readonly startTimeoutMs?: number;
  /** Milliseconds a call may take without a sign of progress; default 60,000. */
  readonly requestTimeoutMs?: number;
  /** Milliseconds a call may take in all; default 600,000. */
  readonly maxTotalMs?: number;
  /** Milliseconds the server gets to end by itself when the connection is closed, and again to end when told; default 1,000. */
  readonly closeGraceMs?: number;
  /** Descriptions beyond this many bytes are cut; default 4,096. */
  readonly maxDescriptionBytes?: number;
  /** Tools with an input schema beyond this many bytes of JSON are left out; default 32,768. */
  readonly maxSchemaBytes?: number;
  /** An answer beyond this many bytes fails its call; default 64 MiB. */
  readonly maxMessageBytes?: number;
  /** Pages of the list of tools that are read; default 256. */
  readonly maxPages?: number;
}

/** The options with every default filled in. */
export type FilledConnectOptions = ConnectOptions &
  Required<
    Pick<
      ConnectOptions,
      | 'args'
      | 'env'
      | 'era'
      | 'changedTools'
      | 'startTimeoutMs'
      | 'requestTimeoutMs'
      | 'maxTotalMs'
      | 'closeGraceMs'
      | 'maxDescriptionBytes'
      | 'maxSchemaBytes'
      | 'maxMessageBytes'
      | 'maxPages'
    >
  >;

const limits = [
  'startTimeoutMs',
  'requestTimeoutMs',
  'maxTotalMs',
  'closeGraceMs',
  'maxDescriptionBytes',
  'maxSchemaBytes',
  'maxMessageBytes',
  'maxPages',
] as const;
/** What a timer of Node can wait at most; no size comes near it either. */
const longestMs = 2 ** 31 - 1;

/** @throws McpError `INVALID_OPTION`. */
export function fillConnectOptions(options: ConnectOptions): FilledConnectOptions {
  const { command, transport, name } = options;
  if ((command === undefined) === (transport === undefined)) {
    throw new McpError('INVALID_OPTION', 'connect needs either a command to start, such as "npx", or a transport');
  }
  if (command !== undefined && (typeof command !== 'string' || command.trim() === ''))
    throw new McpError('INVALID_OPTION', 'connect needs a command that is not empty');
  if (name !== undefined && toConnectionName(name) === '') {
    throw new McpError(
      'INVALID_OPTION',
      `the connection name ${JSON.stringify(name)} has no letter or digit; expected one such as "github"`,
    );
  }
  if (![undefined, 'suspend', 'take'].includes(options.changedTools))
    throw new McpError(
      'INVALID_OPTION',
      `changedTools must be 'suspend' or 'take', not ${describeCause(options.changedTools)}`,
    );
  for (const limit of limits) {
    const given: unknown = options[limit];
    if (given !== undefined && !(typeof given === 'number' && given > 0 && given <= longestMs))
      throw new McpError('INVALID_OPTION', `${limit} must be a number above 0, not ${describeCause(given)}`);
  }
  return {
    ...options,
    args: options.args ?? [],
    env: options.env ?? {},
    era: options.era ?? 'auto',
    changedTools: options.changedTools ?? 'suspend',
    startTimeoutMs: options.startTimeoutMs ?? 30_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 60_000,
    maxTotalMs: options.maxTotalMs ?? 600_000,
    closeGraceMs: options.closeGraceMs ?? 1_000,
    maxDescriptionBytes: options.maxDescriptionBytes ?? 4_096,
    maxSchemaBytes: options.maxSchemaBytes ?? 32_768,
    maxMessageBytes: options.maxMessageBytes ?? 64 * 1024 * 1024,
    maxPages: options.maxPages ?? 256,
  };
}
