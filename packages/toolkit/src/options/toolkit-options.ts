import type { BuiltinsOptions, AskQuestion } from '@haft/builtins';
import type { AnyTool, DispatchMiddleware, Logger, Model, Prompt, Resource, ToolObserver, Workspace } from '@haft/core';
import type { WorkspaceJail, Roots } from '@haft/core/workspace';
import type { PluginLoaderOptions, ProgramToolOptions } from '@haft/dynamic-tools';
import type { AskUser, LayeredRules, PermissionMode, PermissionRule } from '@haft/permission';
import type { PermissionEngine } from '@haft/core';
import type { Store } from '@haft/store';
import type { ToolkitConnectionOptions } from '../connections/connection-service.ts';
import type { ConnectionSource } from '../connections/connection-source.ts';
import type { CreateConnector } from '../connections/connector.ts';
import type { ToolkitListener } from '../events.ts';
import type { AgentPrompt, ModelWish } from '../prompts/agent-prompt.ts';
import type { ResourceTemplate } from '../resources/resource-template.ts';

/** What `createToolkit` takes. Everything has a default that is safe; `ask` and `model` are what most programs give. */
export interface ToolkitOptions {
  /** The folder to work in; default that of the process. */
  readonly cwd?: string;

  /** Runs prompts and `answer`. Without one the tools can still be called, listed and served. */
  readonly model?: Model;
  /** Finds the model that a prompt asks for by `model` and `provider`; without one, `model` runs those too. */
  readonly models?: (wish: ModelWish) => Model | undefined;
  /** What the model is told first, by `answer`; default a few sentences on how to work with tools. `''` for nothing. */
  readonly systemPrompt?: string;

  /** Asks the person whether a call may run; without it, whatever would be asked is denied. */
  readonly ask?: AskUser;
  /** Rules that decide before anybody is asked. */
  readonly rules?: readonly PermissionRule[] | LayeredRules;
  /** Default `ask`. */
  readonly permissionMode?: PermissionMode;
  /** A whole engine instead of `ask`, `rules` and `permissionMode`. */
  readonly permission?: PermissionEngine;
  /** Default: the folder alone. */
  readonly readRoots?: Roots;
  /** Default: the folder alone. */
  readonly writeRoots?: Roots;
  /** Default `{ policy: 'preferred' }`: commands run in a jail where one can be had, without network. */
  readonly jail?: WorkspaceJail;
  /** A whole workspace instead of `cwd`, the roots, the jail, permission and logger. */
  readonly workspace?: Workspace;

  /** What the built-in tools are made with; false for none of them. */
  readonly builtins?: Omit<BuiltinsOptions, 'workspace' | 'ask'> | false;
  /** Puts a model's questions to the person, for the tool question. Without it there is no such tool. */
  readonly question?: AskQuestion;
  /** Tools of the program; one of a built-in tool's name takes its place. */
  readonly tools?: readonly AnyTool[];
  /** The tool `program`, by which a model makes many calls with one script: true, or what it is made with. Default: there is none. */
  readonly program?: boolean | Omit<ProgramToolOptions, 'source'>;
  /** Prompts, and Markdown files or folders of them. */
  readonly prompts?: readonly (AgentPrompt | string)[];
  readonly resources?: readonly (Resource | ResourceTemplate)[];
  /** Keeps the prompts and resources of the namespace `user`, and what was approved of servers: a store of `@haft/store`, or the address of one. Default: memory. */
  readonly store?: Store | string;
  /** A folder of plugins, or how it is loaded; each in a process of its own, in a jail, unless that says otherwise. */
  readonly plugins?: string | Omit<PluginLoaderOptions, 'registry'>;
  /**
   * MCP servers by their namespaces: an address, or what `readServers` reads and `createConnection` takes; a list of those that
   * name themselves. A command is started once `ask`, a rule or `approveCommand` has approved of it.
   */
  readonly connections?: Readonly<Record<string, ConnectionSource>> | readonly ConnectionSource[];
  /** How servers are connected, as a connection manager is told it; `lifecycle: true` lets models do it too. */
  readonly mcp?: ToolkitConnectionOptions;

  /** What the program does itself instead of the toolkit. */
  readonly delegate?: ToolkitDelegate;
  /** How many prompts may call each other; default 5. */
  readonly maxPromptDepth?: number;
  /** Traces calls: middleware that wraps every one of them, such as a tracing package makes. */
  readonly tracer?: DispatchMiddleware;
  /** Wraps every call, inside of the tracer. */
  readonly middleware?: readonly DispatchMiddleware[];
  /** Hears of every call. */
  readonly observer?: ToolObserver;
  /** Default: warnings and errors become warnings of the process, the rest is dropped. */
  readonly logger?: Logger;
  /** Milliseconds that servers and plugins may take before the toolkit is there without them; default 30,000. */
  readonly startTimeoutMs?: number;
}

/** What a program may do itself; whatever it does not give, the toolkit does. */
export interface ToolkitDelegate {
  /** Hears what happens. */
  readonly onEvent?: ToolkitListener;
  /** Runs a prompt; the first resource gives its variables. What it throws is the answer's error. */
  readonly call?: (prompt: Prompt, ...resources: readonly Resource[]) => Resource | Promise<Resource>;
  /** Connects an address; nothing where an MCP server is meant. */
  readonly createConnector?: CreateConnector;
}
