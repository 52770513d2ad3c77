import { cutText } from '../contract/as-json.ts';
import type { SourceLinks } from '../sources/source-links.ts';
import type { ServerCommand, ServerView } from '../contract/page-data.ts';
import type { ServerLog } from './create-server-log.ts';

const maxStderr = 20_000;

/** The state of an MCP connection, as `toolkit.connections()` returns it. */
export interface ConnectionState {
  readonly namespace: string;
  readonly url?: string;
  readonly state: string;
  readonly server?: { readonly name: string; readonly version: string };
  readonly reason?: string;
  /** The command that waits for approval. */
  readonly approval?: ServerCommand;
  /** The open connection. */
  readonly connection?: {
    readonly protocol: { readonly version: string };
    readonly pid: number | undefined;
    readonly changes: readonly ServerToolChange[];
    approve(change: ServerToolChange): boolean;
    stderr(): string;
  };
}

/** A tool whose definition the server has changed. */
export interface ServerToolChange {
  readonly tool: string;
  readonly fields: readonly string[];
  readonly diff: string;
}

/** The state of a plugin, as `toolkit.plugins()` returns it. */
export interface PluginState {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly state: 'live' | 'outdated' | 'failed';
  readonly tools: readonly string[];
  readonly failure?: { readonly message: string; readonly file?: string; readonly line?: number };
}

/** Lists servers and plugins. `toolNames` are the names of all tools, by provider path. */
export async function listServers(
  connections: readonly ConnectionState[],
  plugins: readonly PluginState[],
  toolNames: ReadonlyMap<string, readonly string[]>,
  log: ServerLog | undefined,
  links: SourceLinks,
): Promise<readonly ServerView[]> {
  const shown = await Promise.all(plugins.map((plugin) => pluginView(plugin, links)));
  return [...connections.map((one) => serverView(one, toolNames, log)), ...shown];
}

function serverView(
  { namespace, url, state, server, reason, approval, connection }: ConnectionState,
  toolNames: ReadonlyMap<string, readonly string[]>,
  log: ServerLog | undefined,
): ServerView {
  const stderr = connection?.stderr() ?? '';
  const login = state === 'ready' ? undefined : log?.loginOf(namespace);
  const tools = [...toolNames].flatMap(([provider, names]) => (provider.endsWith(`/${namespace}`) ? names : []));
  return {
    type: 'server',
    name: namespace === '' ? (server?.name ?? url ?? 'unnamed server') : namespace,
    state: state === 'connecting' ? 'starting' : state,
    isReady: state === 'ready',
    ...(server && { version: `${server.name} ${server.version}` }),
    ...(url === undefined ? {} : { url }),
    tools,
    ...(reason === undefined ? {} : { reason }),
    ...(approval && { command: { line: approval.line, cwd: approval.cwd, env: approval.env, hash: approval.hash } }),
    ...(connection && { protocol: connection.protocol.version }),
    ...(connection?.pid === undefined ? {} : { pid: connection.pid }),
    ...(stderr === '' ? {} : { stderr: stderr.slice(-maxStderr) }),
    ...(login === undefined ? {} : { login }),
    changes: (connection?.changes ?? []).map(({ tool, fields, diff }) => ({ tool, fields, diff: cutText(diff) })),
    messages: log?.list(namespace).length ?? 0,
  };
}

async function pluginView(
  { id, version, state, tools, failure }: PluginState,
  links: SourceLinks,
): Promise<ServerView> {
  const { file = '', line } = failure ?? {};
  const lines = file === '' || line === undefined ? undefined : await links.ofPlugin(file, line);
  return {
    type: 'plugin',
    name: id,
    state,
    isReady: state === 'live',
    ...(version === '' ? {} : { version }),
    tools,
    ...(failure && {
      reason: file === '' ? failure.message : `${file}${line === undefined ? '' : `:${line}`}: ${failure.message}`,
    }),
    ...(lines && { failure: lines }),
    changes: [],
    messages: 0,
  };
}
