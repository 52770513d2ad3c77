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

/** Options for one run. */
export type AnswerOptions = Omit<
  RunAgentOptions,
  'model' | 'tools' | 'prompt' | 'permission' | 'workspace' | 'errors' | 'locale' | 'observer' | 'middleware'
> &
  Partial<Pick<RunAgentOptions, 'model'>>;

/** Options of `serve`. */
export interface ToolkitServeOptions extends ServeOptions {
  /**
   * Whether clients also get the prompts and resources of the MCP servers. Prompts are named `<namespace>_<name>`;
   * default true.
   */
  readonly serverItems?: boolean;
}

/**
 * Tools, prompts and resources of the program, MCP servers, plugins and the user in one object. A toolkit is a
 * `ToolSource`, so `runAgent`, `serve` and `toAiSdkTools` accept it directly.
 */
export interface Toolkit extends ToolSource, AsyncDisposable {
  /** The tool registry. Listeners of the registry receive every change. */
  readonly registry: ToolRegistry;
  readonly workspace: Workspace;

  /** Finds an item by `namespace.name`, `uri#namespace`, name or URI. */
  lookup(key: string): Promise<LookupResult>;
  /** Lists items. A namespace that fails causes a diagnostic and does not affect the others. */
  list(request?: ListRequest): Promise<Listing>;
  /**
   * Calls a tool with arguments, runs a prompt with variables, or returns a resource. The first JSON resource (or plain
   * value) holds the arguments of a tool. The first input supplies the variables of a prompt. Further resources are
   * passed along. Failures are returned as an answer, never thrown.
   */
  call(what: string | AnyTool | Prompt, ...inputs: readonly CallInput[]): Promise<Answer>;
  /** Works like `call`, with a signal, a session and progress. */
  callWith(context: CallContext, what: string | AnyTool | Prompt, ...inputs: readonly CallInput[]): Promise<Answer>;
  /** Lets the model work with the tools until it answers. A shortcut for `runAgent`. */
  answer(prompt: string, options?: AnswerOptions): Promise<AgentResult>;

  /** Adds all of the tools or none. Throws `CONFLICT` if the program has already added a tool with the same name. */
  addTool(...tools: readonly AnyTool[]): void;
  /** Adds all of the prompts or none. */
  addPrompt(...prompts: readonly AgentPrompt[]): void;
  /** Adds all of the resources and templates or none. Replaces existing ones with the same URI. */
  addResource(...resources: readonly (Resource | ResourceTemplate)[]): void;
  /** Removes an item of the program: a tool, else a prompt, else a resource. Throws `NOT_FOUND`. */
  removeBuiltin(key: string): void;

  /** The prompts and resources of the namespace `user`, which are kept in the store. */
  readonly user: UserItems;

  /**
   * Connects a server that names itself. Resolves when the server is connected or has failed; the info contains the
   * result.
   */
  addConnector(source: ConnectionSource): Promise<ConnectionInfo>;
  /** Connects a server under a namespace. Throws `CONFLICT` if the namespace is already used. */
  addNamedConnector(namespace: string, source: ConnectionSource): Promise<ConnectionInfo>;
  /** Closes a connection by address or namespace. Returns false if no connection matches. */
  removeConnector(key: string): Promise<boolean>;
  connections(): readonly ConnectionInfo[];
  /**
   * Approves the command of a connection and starts it. With a store, the approval is permanent. Intended for users and
   * programs; no tool can approve a command. Throws `NOT_FOUND`.
   */
  approveCommand(namespace: string): Promise<ConnectionInfo>;
  /** Returns the state of every plugin. */
  plugins(): readonly PluginInfo[];

  /** Adds an event listener. Returns a function that removes it. */
  onEvent(listener: ToolkitListener): () => void;
  /**
   * Serves the tools, prompts and resources of the program, its MCP servers and the user over MCP (stdio or HTTP).
   * Changes are sent to clients.
   */
  serve(options?: ToolkitServeOptions): Promise<RunningServer>;
  /** Waits until the signal aborts or the toolkit is disposed. Resolves when everything it started has ended. */
  run(signal?: AbortSignal): Promise<void>;
  /** Ends connections, plugins and processes. Later calls fail with `CLOSED`. */
  dispose(): Promise<void>;
}
