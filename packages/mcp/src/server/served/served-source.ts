import { createCallQueue, type AnyTool, type ToolRegistry, type ToolSource } from '@haft/core';
import { Server, type CallToolRequest, type StandardSchemaV1 } from '@modelcontextprotocol/server';
import { anyResult } from '../../any-result.ts';
import { findHeaderMismatch, findMirrored, type MirroredParameter } from '../../mirrored-parameters.ts';
import { serveLibrary } from './serve-library.ts';
import { createCallServer } from './served-call.ts';
import { createLibrary, type Library, type LibraryChange } from '../../library/served-library.ts';
import { createRoundCodec } from './served-peer.ts';
import { createServedView, describeTools } from './served-tools.ts';
import type { SkillDirectory } from '../../skills/open-skill-directory.ts';
import { serveSkills, skillsExtension } from '../../skills/serve-skills.ts';
import { serveTasks } from '../../tasks/serve-tasks.ts';
import { createTaskStore } from '../../tasks/task-store.ts';
import { tasksExtension, type TaskOptions } from '../../tasks/task-options.ts';

/** What is served, and how: the same over every transport. */
export interface ServerOptions {
  /** What the server calls itself; default `haft`. */
  readonly name?: string;
  readonly version?: string;
  /** Told to clients as help for their models. */
  readonly instructions?: string;
  /** Which tools clients see and may call; default all that are visible. */
  readonly expose?: (tool: AnyTool, provider: string) => boolean;
  /** The model that tools with `supportedModels` are matched against; default one named `mcp`. */
  readonly model?: { readonly name: string; readonly vendor?: string };
  /** How many calls run at once; default 8. */
  readonly maxParallel?: number;
  /** Resources, templates and prompts that are served too. */
  readonly library?: Library;
  /** Skills that are served too, opened by `openSkillDirectory`. */
  readonly skills?: SkillDirectory;
  /**
   * Lets calls outlive their request, as tasks of the protocol, for clients of the newer generation that know these. Tasks are
   * kept in this process. Default: every request waits for its call.
   */
  readonly tasks?: TaskOptions;
  /**
   * At least 32 bytes that all copies of a server share, by which answers to questions of tools are sealed on their way through
   * the client; default: random, for one process.
   */
  readonly stateKey?: string | Uint8Array;
  /** Tells of changes of the tools; default: the source's own registry, when it has one. */
  readonly onChange?: (listener: () => void) => () => void;
  /** Hears what goes wrong beside the calls. */
  readonly onError?: (error: Error) => void;
}

/** Tools to be served: a dispatcher, or what stands for one. */
export type ServableSource = ToolSource & { readonly registry?: ToolRegistry };

/** Tools on their way to clients. */
export interface ServedSource {
  /** Makes the server of one connection, or of one request where there are no connections. */
  createServer(): Server;
  /** Says where the headers of a call are other than its arguments, for a tool that wants some of these in headers as well. */
  findHeaderMismatch(name: unknown, args: unknown, headers: Headers): string | undefined;
  /** Is sent, once for any number of changes in one go; returns how to stop hearing. */
  onChange(listener: () => void): () => void;
  /** Tells those that have listed the tools that they are others now. */
  notifyToolsChanged(): void;
  /** Is sent of changes of the library, once for any number of the same in one go; returns how to stop hearing. */
  onLibraryChange(listener: (change: LibraryChange) => void): () => void;
  /** Tells clients of a change of the library: of one resource, those that have subscribed to it. */
  notifyLibraryChange(change: LibraryChange): void;
  /** Ends what has outlived its requests. */
  close(): void;
}

/**
 * Makes what all servers of one source share: the view on its tools, and the queue in which calls that touch the same wait
 * for one another, whichever clients they come from.
 *
 * @throws HaftError `INVALID_OPTION` when `maxParallel` is no whole number above 0.
 */
export function createServedSource(source: ServableSource, options: ServerOptions): ServedSource {
  const { name = 'haft', version = '0.0.0', instructions, onError, maxParallel = 8 } = options;
  const queue = createCallQueue({ maxParallel });
  const servers = new Set<Server>();
  const { skills } = options;
  const library = options.library ?? (skills ? createLibrary() : undefined);
  const taskStore = options.tasks && createTaskStore(options.tasks);
  const extensions = {
    ...(taskStore ? { [tasksExtension]: {} } : {}),
    ...(skills ? { [skillsExtension]: { directoryRead: true } } : {}),
  };
  /** What clients have subscribed to, by their servers. */
  const subscriptions = new Map<Server, Set<string>>();
  const view = createServedView(source, options);
  const codec = createRoundCodec(options.stateKey);
  const serveCall = createCallServer(source, view, queue, codec, (error) => onError?.(error), taskStore);

  return {
    createServer() {
      const server = new Server(
        { name, version },
        {
          capabilities: {
            tools: { listChanged: true },
            logging: {},
            ...(library ? libraryCapabilities : {}),
            ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
          },
          ...(instructions === undefined ? {} : { instructions }),
          requestState: { verify: (state, context) => codec.verify(state, context) },
        },
      );
      if (library) {
        const subscribed = new Set<string>();
        subscriptions.set(server, subscribed);
        serveLibrary(server, library, subscribed, codec, (error) => onError?.(error), skills);
      }
      if (skills)
        serveSkills(
          server,
          skills,
          () => isModern(server),
          (error) => onError?.(error),
        );
      if (taskStore) serveTasks(server, taskStore);
      server.setRequestHandler('tools/list', async () => {
        const snapshot = await view.visible();
        servers.add(server);
        return { tools: describeTools(snapshot) };
      });
      server.setRequestHandler('tools/call', checkedBefore, async (params, context) => ({
        ...(await serveCall(params, context, server)),
      }));
      const onclose = (): void => {
        servers.delete(server);
        subscriptions.delete(server);
      };
      Object.assign(server, { onclose });
      return server;
    },
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
      for (const server of servers) server.sendToolListChanged().catch((error: unknown) => onError?.(error as Error));
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
        sent.catch((error: unknown) => onError?.(error as Error));
      }
    },
    close: () => taskStore?.close(),
  };
}

/** The SDK holds a call against the protocol before it asks for it to be handled, with a schema or without. */
const checkedBefore = { params: anyResult as StandardSchemaV1<CallToolRequest['params']> };

const libraryCapabilities = {
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

/** The newer generation keeps subscriptions of its own. */
function isModern(server: Server): boolean {
  return (server.getNegotiatedProtocolVersion() ?? '') >= '2026';
}
