import type { AnyTool, CallContext, Prompt, Resource, ToolRegistry, ToolSource, Workspace } from '@haft/core';
import type { PluginInfo } from '@haft/dynamic-tools';
import type { RunningServer, ServeOptions } from '@haft/mcp';
import type { AgentResult, RunAgentOptions } from '@haft/runner';
import type { Answer } from '../answer.ts';
import type { CallInput } from '../calling/read-inputs.ts';
import type { LookupResult } from '../catalogue/find-item.ts';
import type { Listing, ListRequest } from '../catalogue/list-items.ts';
import type { ConnectionInfo } from '../connections/connection-slot.ts';
import type { ConnectionSource } from '../connections/connection-source.ts';
import type { ToolkitListener } from '../events.ts';
import type { AgentPrompt } from '../prompts/agent-prompt.ts';
import type { UserItems } from '../user/user-items.ts';
import type { ResourceTemplate } from '../resources/resource-template.ts';

/** What a run may be told besides what the toolkit knows. */
export type AnswerOptions = Omit<
  RunAgentOptions,
  'model' | 'tools' | 'prompt' | 'permission' | 'workspace' | 'observer' | 'middleware'
> &
  Partial<Pick<RunAgentOptions, 'model'>>;

/**
 * Tools, prompts and resources of the program, of MCP servers, of plugins and of the user, as one object. It is a
 * `ToolSource`: `runAgent`, `serve` and `toAiSdkTools` take it as it is.
 */
export interface Toolkit extends ToolSource, AsyncDisposable {
  /** Holds the tools; whoever listens to it hears of every change. */
  readonly registry: ToolRegistry;
  readonly workspace: Workspace;

  /** Finds what `namespace.name`, `uri#namespace`, a name or a URI means. */
  lookup(key: string): Promise<LookupResult>;
  /** Lists what there is. One namespace that can't answer leaves the others as they are, and a diagnostic. */
  list(request?: ListRequest): Promise<Listing>;
  /**
   * Calls a tool with arguments, runs a prompt with variables, or gives a resource. The first JSON resource (or a plain value)
   * holds a tool's arguments; a prompt takes its variables from the first input. Further resources go along.
   * What comes of it is an answer, never thrown.
   */
  call(what: string | AnyTool | Prompt, ...inputs: readonly CallInput[]): Promise<Answer>;
  /** The same with a signal, a session, progress. */
  callWith(context: CallContext, what: string | AnyTool | Prompt, ...inputs: readonly CallInput[]): Promise<Answer>;
  /** Lets the model work with the tools until it answers; a shorter way to `runAgent`. */
  answer(prompt: string, options?: AnswerOptions): Promise<AgentResult>;

  /** Adds tools, all or none. Throws `CONFLICT` for a name that the program has added already. */
  addTool(...tools: readonly AnyTool[]): void;
  /** Adds prompts, all or none. */
  addPrompt(...prompts: readonly AgentPrompt[]): void;
  /** Adds resources and templates, all or none; one of a URI that is there takes its place. */
  addResource(...resources: readonly (Resource | ResourceTemplate)[]): void;
  /** Removes a tool, else a prompt, else a resource that the program brought. Throws `NOT_FOUND`. */
  removeBuiltin(key: string): void;

  /** The prompts and resources of the namespace `user`, which are kept in the store. */
  readonly user: UserItems;

  /** Connects a server that names itself. Resolves when it is there or failed, which the info says. */
  addConnector(source: ConnectionSource): Promise<ConnectionInfo>;
  /** Connects a server under a namespace. Throws `CONFLICT` when it is taken. */
  addConnectorNS(namespace: string, source: ConnectionSource): Promise<ConnectionInfo>;
  /** Ends a connection, by its address or namespace; false when there is none. */
  removeConnector(key: string): Promise<boolean>;
  connections(): readonly ConnectionInfo[];
  /**
   * Approves of the command of a connection, for good where there is a store, and starts it. For persons and programs: no tool
   * does it. Throws `NOT_FOUND`.
   */
  approveCommand(namespace: string): Promise<ConnectionInfo>;
  /** What became of every plugin. */
  plugins(): readonly PluginInfo[];

  /** Hears what happens from now on; returns how to stop. */
  onEvent(listener: ToolkitListener): () => void;
  /**
   * Serves the tools, and the prompts and resources of the program and the user, over MCP, on standard input and output or over
   * HTTP, live.
   */
  serve(options?: ServeOptions): Promise<RunningServer>;
  /** Waits until the signal aborts or somebody disposes of the toolkit, and resolves when all that it started has ended. */
  run(signal?: AbortSignal): Promise<void>;
  /** Ends connections, plugins and processes. What is called afterwards fails with `CLOSED`. */
  dispose(): Promise<void>;
}
