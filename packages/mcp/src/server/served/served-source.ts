import { createCallQueue, type AnyTool } from '@haft/core';
import { Server, type CallToolRequest, type ServerContext, type StandardSchemaV1 } from '@modelcontextprotocol/server';
import { anyResult } from '../../any-result.ts';
import { findHeaderMismatch, findMirrored, type MirroredParameter } from '../../mirrored-parameters.ts';
import type { ServableSource, ServerOptions } from '../options/server-options.ts';
import { serveLibrary } from './serve-library.ts';
import { createCallServer, type CallAnswer } from './served-call.ts';
import { createLibrary, type LibraryChange } from '../../library/create-library.ts';
import { createRoundCodec } from './served-peer.ts';
import { anonymousSession } from './served-session.ts';
import { createServedView, describeTools } from './served-tools.ts';
import { serveSkills, skillsExtension } from '../../skills/serve-skills.ts';
import { legacyTaskCapabilities, legacyTaskSupport, serveLegacyTasks } from '../../tasks/serve-legacy-tasks.ts';
import { serveTasks } from '../../tasks/serve-tasks.ts';
import { createTaskStore } from '../../tasks/task-store.ts';
import { tasksExtension } from '../../tasks/task-options.ts';

/** The shared parts of a server. */
export interface ServedSource {
  /**
   * Creates the server of one connection, or of one stateless request.
   *
   * @param client `isLegacy`: whether the client is known to be of the legacy era, default false; `announcesChanges`: whether the client can be notified of changes, default true; `address`: sender of
   *   a stateless request. Callers without a login share one session per address.
   */
  createServer(client?: {
    readonly announcesChanges?: boolean;
    readonly isLegacy?: boolean;
    readonly address?: string | undefined;
  }): Server;
  /** Name and version that clients see. */
  readonly identity: { readonly name: string; readonly version: string };
  /** Whether calls of a tool need only its name and arguments: no tasks, no features of clients, no headers. */
  isPlainTool(name: string): boolean;
  /** Runs a call of a plain tool, for a client of `server` or one without a server of its own. */
  callTool(
    params: CallToolRequest['params'],
    context: ServerContext,
    address: string,
    server?: Server,
  ): Promise<CallAnswer>;
  /** Returns the tool of a name, available or not. */
  findTool(name: string): AnyTool | undefined;
  /** Describes a mismatch between a call's headers and its arguments. */
  findHeaderMismatch(name: unknown, args: unknown, headers: Headers): string | undefined;
  /** Adds a listener for tool changes, called once per batch. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
  /** Notifies clients that have listed the tools. */
  notifyToolsChanged(): void;
  /** Adds a listener for library changes, called once per batch and change. Returns a function that removes it. */
  onLibraryChange(listener: (change: LibraryChange) => void): () => void;
  /** Notifies clients of a library change. For one resource, only its subscribers. */
  notifyLibraryChange(change: LibraryChange): void;
  /** Cancels tasks. */
  close(): void;
}

/**
 * Creates the parts that all servers of one source share: the view of its tools, and the queue in which conflicting
 * calls wait for one another.
 *
 * @throws HaftError `INVALID_OPTION` when `maxParallel` is not a positive integer.
 */
export function createServedSource(source: ServableSource, options: ServerOptions): ServedSource {
  const { name = 'haft', version = '0.0.0', instructions, onWarning, maxParallel = 8 } = options;
  const queue = createCallQueue({ maxParallel });
  const servers = new Set<Server>();
  const { skills } = options;
  const library = options.library ?? (skills ? createLibrary() : undefined);
  const taskStore = options.tasks && createTaskStore(options.tasks);
  const extensions = {
    ...(taskStore ? { [tasksExtension]: {} } : {}),
    ...(skills ? { [skillsExtension]: { directoryRead: true } } : {}),
  };
  /** Subscribed URIs by server. */
  const subscriptions = new Map<Server, Set<string>>();
  const view = createServedView(source, options);
  const codec = createRoundCodec(options.stateKey);
  const serveCall = createCallServer(source, view, queue, codec, (error) => onWarning?.(error), taskStore);

  return {
    createServer({ announcesChanges = true, isLegacy = false, address = '' } = {}) {
      const anonymousId = anonymousIdOf(address);
      const server = new Server(
        { name, version },
        {
          capabilities: {
            tools: announcesChanges ? { listChanged: true } : {},
            logging: {},
            ...(library ? (announcesChanges ? liveCapabilities : libraryCapabilities) : {}),
            ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
            ...(taskStore && isLegacy ? { tasks: legacyTaskCapabilities } : {}),
          },
          ...(instructions === undefined ? {} : { instructions }),
          requestState: { verify: (state, context) => codec.verify(state, context) },
        },
      );
      if (library) {
        const subscribed = announcesChanges ? new Set<string>() : undefined;
        if (subscribed) subscriptions.set(server, subscribed);
        serveLibrary(server, library, subscribed, codec, anonymousId, (error) => onWarning?.(error), skills);
      }
      if (skills)
        serveSkills(
          server,
          skills,
          () => isModern(server),
          (error) => onWarning?.(error),
        );
      if (taskStore) {
        serveTasks(server, taskStore);
        if (isLegacy) serveLegacyTasks(server, taskStore);
      }
      const taskSupportOf =
        taskStore && isLegacy ? (tool: AnyTool) => legacyTaskSupport(taskStore.modeOf(tool)) : undefined;
      server.setRequestHandler('tools/list', async () => {
        const snapshot = await view.visible();
        if (announcesChanges) servers.add(server);
        return { tools: describeTools(snapshot, taskSupportOf) };
      });
      server.setRequestHandler('tools/call', checkedBefore, async (params, context) => ({
        ...(await serveCall(params, context, server, anonymousId)),
      }));
      const onclose = (): void => {
        servers.delete(server);
        subscriptions.delete(server);
      };
      Object.assign(server, { onclose });
      return server;
    },
    identity: { name, version },
    isPlainTool(toolName) {
      const tool = taskStore ? undefined : view.all().get(toolName);
      return tool !== undefined && !tool.traits.requires?.length && mirroredOf(tool).length === 0;
    },
    callTool: (params, context, address, server) =>
      serveCall(params, context, server ?? unknownClient, anonymousIdOf(address)),
    findTool: (name) => view.all().get(name),
    findHeaderMismatch(name, args, headers) {
      const tool = typeof name === 'string' ? view.all().get(name) : undefined;
      const parameters = tool && mirroredOf(tool);
      return parameters && findHeaderMismatch(parameters, args, headers);
    },
    onChange(listener) {
      let pending = false;
      const schedule = (): void => {
        if (pending) return;
        pending = true;
        setImmediate(() => {
          pending = false;
          listener();
        });
      };
      return options.onChange?.(schedule) ?? source.registry?.onChange(schedule) ?? ((): void => undefined);
    },
    notifyToolsChanged() {
      for (const server of servers) server.sendToolListChanged().catch((error: unknown) => onWarning?.(error as Error));
    },
    onLibraryChange(listener) {
      const pending = new Map<string, LibraryChange>();
      const flush = (): void => {
        const changes = [...pending.values()];
        pending.clear();
        changes.forEach(listener);
      };
      const stop = library?.onChange((change) => {
        if (pending.size === 0) setImmediate(flush);
        pending.set(change.kind === 'resource' ? change.uri : `every ${change.kind}`, change);
      });
      return () => {
        stop?.();
        pending.clear();
      };
    },
    notifyLibraryChange(change) {
      for (const [server, subscribed] of subscriptions) {
        if (change.kind === 'resource' && !subscribed.has(change.uri) && !isModern(server)) continue;
        const sent =
          change.kind === 'resource'
            ? server.sendResourceUpdated({ uri: change.uri })
            : change.kind === 'prompts'
              ? server.sendPromptListChanged()
              : server.sendResourceListChanged();
        sent.catch((error: unknown) => onWarning?.(error as Error));
      }
    },
    close: () => taskStore?.close(),
  };
}

/** Stands for a client without an `initialize` request. Modern clients describe themselves in each request. */
const unknownClient: Pick<Server, 'getClientVersion' | 'getClientCapabilities' | 'notification'> = {
  getClientVersion: () => undefined,
  getClientCapabilities: () => undefined,
  notification: () => Promise.resolve(),
};

function anonymousIdOf(address: string): string {
  return address === '' ? anonymousSession : `mcp-address:${address.replace(/^::ffff:/, '')}`;
}

/** The SDK has already validated the request. */
const checkedBefore = { params: anyResult as StandardSchemaV1<CallToolRequest['params']> };

const libraryCapabilities = { resources: {}, prompts: {}, completions: {} } as const;

const liveCapabilities = {
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
} as const;

const mirrored = new WeakMap<AnyTool, readonly MirroredParameter[]>();

function mirroredOf(tool: AnyTool): readonly MirroredParameter[] {
  let parameters = mirrored.get(tool);
  if (parameters === undefined) {
    const found = findMirrored(tool.input.jsonSchema);
    parameters = found.ok ? found.parameters : [];
    mirrored.set(tool, parameters);
  }
  return parameters;
}

/** Whether a server uses the modern era, in which the SDK handles subscriptions. */
function isModern(server: Server): boolean {
  return (server.getNegotiatedProtocolVersion() ?? '') >= '2026';
}
