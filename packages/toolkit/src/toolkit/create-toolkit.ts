import { rm } from 'node:fs/promises';
import { createDispatcher, failure, ToolRegistry, type ToolCall, type ToolResult } from '@haft/core';
import { createProgramTool } from '@haft/dynamic-tools';
import { serve } from '@haft/mcp';
import { runAgent } from '@haft/runner';
import { checkOptions } from '../options/check-options.ts';
import { createLife } from '../assembly/create-life.ts';
import { makeBuiltins } from '../assembly/make-builtins.ts';
import { openStore } from '../assembly/open-store.ts';
import { createPipelineOptions } from '../assembly/create-pipeline-options.ts';
import { pluginNamespaces } from '../assembly/plugin-namespaces.ts';
import { makeWorkspace } from '../assembly/make-workspace.ts';
import { serveItems } from '../assembly/serve-items.ts';
import { waitForStart } from '../assembly/wait-for-start.ts';
import { makePluginLoader } from '../assembly/start-plugins.ts';
import { notifyToolChanges } from '../assembly/notify-tool-changes.ts';
import { makeSystemPrompt } from '../assembly/make-system-prompt.ts';
import { answerFailed } from '../answer.ts';
import { createCaller } from '../calling/create-caller.ts';
import { findItem } from '../catalogue/find-item.ts';
import { gatherItems, type GatheredItems } from '../catalogue/gather-items.ts';
import { checkListRequest, listItems } from '../catalogue/list-items.ts';
import type { Namespace } from '../catalogue/item.ts';
import { createOwnItems } from '../catalogue/own-items.ts';
import { createConnectionService, type ConnectionService } from '../connections/connection-service.ts';
import { createEventQueue } from '../events.ts';
import { loadPrompts } from '../prompts/load-prompts.ts';
import { openUserSpace } from '../user/user-items.ts';
import { ToolkitError } from '../toolkit-error.ts';
import type { ToolkitOptions } from '../options/toolkit-options.ts';
import type { Toolkit } from './toolkit.ts';

/**
 * Creates and starts a toolkit: built-in tools in a directory, permissions with a user to ask, a jail for commands, the
 * program's tools, prompts and resources, plugins, and MCP servers. Resolves when all plugins and servers are ready or
 * have failed, or after `startTimeoutMs`. Their state is available from `connections()`, `plugins()` and events.
 *
 * Rejects only for misuse, after it has stopped everything it started: with `ToolkitError` `BAD_PARAMETER` or
 * `CONFLICT`, or with the error of the package that rejected an option.
 *
 * @example
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { createToolkit } from '@haft/toolkit';
 * const cwd = await mkdtemp(join(tmpdir(), 'work-'));
 * const toolkit = await createToolkit({ cwd, ask: () => ({ action: 'allow' }) });
 * await toolkit.dispatch({ id: 'call_1', name: 'write', arguments: { path: 'list.txt', content: 'milk' } });
 * const read = await toolkit.dispatch({ id: 'call_2', name: 'read', arguments: { path: 'list.txt' } });
 * read.ok; // => true
 * await toolkit.dispose();
 */
export async function createToolkit(options: ToolkitOptions = {}): Promise<Toolkit> {
  checkOptions(options);
  const { delegate, model, models } = options;
  const workspace = makeWorkspace(options);
  const events = createEventQueue(workspace.logger);
  const registry = new ToolRegistry();
  const plugins =
    options.plugins === undefined ? undefined : makePluginLoader(options.plugins, { registry, workspace, events });
  const pluginHooks = plugins ? [plugins.hooks] : [];
  const builtins = makeBuiltins(options);
  registry.register(...builtins.tools);
  const own = createOwnItems(registry, events);
  const opened = await openStore(options.store, workspace.logger);
  const { store } = opened;
  let connections: ConnectionService;
  try {
    connections = createConnectionService({ registry, events, delegate, store, workspace, options: options.mcp });
  } catch (error) {
    await opened.close();
    throw error;
  }
  const user = await openUserSpace(store, events);
  const pipeline = createPipelineOptions(workspace, {
    ...options,
    middleware: [...(options.middleware ?? []), ...pluginHooks],
  });
  const dispatcher = createDispatcher({ ...pipeline, registry });
  const life = createLife(async () => {
    await Promise.allSettled([connections.close(), user.close(), plugins?.stop(), builtins.end()]);
    await opened.close();
    if (!options.workspace && workspace.spillDirectory !== undefined)
      await rm(workspace.spillDirectory, { recursive: true, force: true }).catch(() => undefined);
  });

  const gather = (): Promise<GatheredItems> =>
    // For duplicate names, the last item wins, so that a plugin cannot replace items of other namespaces.
    gatherItems(registry.snapshot(), [...pluginNamespaces(plugins), own, ...connections.namespaces(), user]);
  const call = createCaller({
    registry,
    dispatcher,
    pipeline,
    gather,
    modelFor: (wish) => (models && (wish.model ?? wish.provider) !== undefined ? models(wish) : model),
    delegate,
    maxPromptDepth: options.maxPromptDepth ?? 5,
    turnHooks: pluginHooks,
  });
  const assertOpen = (): void => {
    if (life.isOver) throw new ToolkitError('CLOSED', closed.message);
  };

  const toolkit: Toolkit = {
    registry,
    workspace,
    snapshot: () => dispatcher.snapshot(),
    visibleTo: (reader) => dispatcher.visibleTo(reader),
    dispatch: async (given, context) => (life.isOver ? refuse(given) : dispatcher.dispatch(given, context)),
    dispatchBatch: async (calls, context) =>
      life.isOver ? calls.map(refuse) : dispatcher.dispatchBatch(calls, context),
    lookup: async (key) => findItem(key, await gather()),
    async list(request = {}) {
      checkListRequest(request);
      return listItems(request, await gather());
    },
    call: (what, ...inputs) => toolkit.callWith({}, what, ...inputs),
    callWith: async (context, what, ...inputs) => (life.isOver ? answerFailed(closed) : call(context, what, ...inputs)),
    async answer(prompt, { model: given = model, ...rest } = {}) {
      assertOpen();
      if (typeof prompt !== 'string') throw new ToolkitError('BAD_PARAMETER', 'answer: the question must be a string');
      if (!given) throw new ToolkitError('BAD_PARAMETER', 'answer: pass a model to createToolkit or to answer');
      const systemPrompt = rest.systemPrompt ?? options.systemPrompt ?? makeSystemPrompt(workspace.cwd);
      const received = systemPrompt === '' ? {} : { systemPrompt };
      const turnHooks = [...(rest.turnHooks ?? []), ...pluginHooks];
      return runAgent({ ...rest, ...received, turnHooks, model: given, tools: toolkit, prompt });
    },
    addTool: (...tools) => (assertOpen(), own.addTool(...tools)),
    addPrompt: (...prompts) => (assertOpen(), own.addPrompt(...prompts)),
    addResource: (...resources) => (assertOpen(), own.addResource(...resources)),
    removeBuiltin: (key) => own.remove(key),
    user: user.items,
    addConnector: async (source) => (assertOpen(), connections.add(source)),
    addNamedConnector: async (namespace, source) => (assertOpen(), connections.add(source, namespace)),
    removeConnector: (key) => connections.remove(key),
    approveCommand: async (namespace) => (assertOpen(), connections.approveCommand(namespace)),
    connections: () => connections.infos(),
    plugins: () => plugins?.plugins() ?? [],
    onEvent: (listener) => events.listen(listener),
    async serve(given) {
      assertOpen();
      const { serverItems = true, ...options } = given ?? {};
      const namespaces = (): readonly Namespace[] => [own, ...(serverItems ? connections.namespaces() : []), user];
      const items = options.library ? undefined : await serveItems(namespaces, events);
      try {
        const server = serve(toolkit, { ...(items ? { library: items.library } : {}), ...options });
        void server.closed.then(() => items?.stop());
        life.atEnd(() => void server.close());
        return server;
      } catch (error) {
        items?.stop();
        throw error;
      }
    },
    run: (signal) => life.last(signal),
    dispose: () => life.end(),
    [Symbol.asyncDispose]: () => life.end(),
  };

  try {
    own.addTool(...(options.tools ?? []));
    const { program = false } = options;
    if (program !== false) own.addTool(createProgramTool({ ...(program === true ? {} : program), source: toolkit }));
    for (const given of options.prompts ?? [])
      own.addPrompt(...(typeof given === 'string' ? await loadPrompts(given, workspace.cwd) : [given]));
    own.addResource(...(options.resources ?? []));
    if (delegate?.onEvent) events.listen(delegate.onEvent);
    notifyToolChanges(registry, events);
    const { connections: given = {} } = options;
    const starting: readonly Promise<unknown>[] = Array.isArray(given)
      ? given.map((source) => connections.add(source))
      : Object.entries(given).map(([namespace, source]) => connections.add(source, namespace));
    await waitForStart(
      [...starting, connections.restore(), ...(plugins ? [plugins.ready] : [])],
      options.startTimeoutMs ?? 30_000,
    );
    return toolkit;
  } catch (error) {
    await life.end();
    throw error;
  }
}

const closed = { code: 'CLOSED', fault: 'host', retryable: false, message: 'the toolkit was disposed of' } as const;

function refuse(call: ToolCall): ToolResult {
  return failure(call.id, closed, { name: call.name });
}
