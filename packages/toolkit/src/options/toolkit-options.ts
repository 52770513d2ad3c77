import type { BuiltinsOptions, AskQuestion } from '@haft/builtins';
import type {
  AnyTool,
  DispatcherOptions,
  DispatchMiddleware,
  Logger,
  Model,
  Prompt,
  Resource,
  ToolObserver,
  Workspace,
} from '@haft/core';
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

/** Options of `createToolkit`. All are optional with safe defaults. Most programs set `ask` and `model`. */
export interface ToolkitOptions {
  /** Working directory; default `process.cwd()`. */
  readonly cwd?: string;

  /** Runs prompts and `answer`. Without a model, tools can still be called, listed and served. */
  readonly model?: Model;
  /** Selects the model for a prompt by its `model` and `provider`. By default, `model` runs these prompts too. */
  readonly models?: (wish: ModelWish) => Model | undefined;
  /** System prompt of `answer`; default a short guide to the tools. Set `''` for no system prompt. */
  readonly systemPrompt?: string;

  /**
   * Asks the user whether a call may run. Without it, calls that need approval are denied. Sessions, such as those of
   * subagents, ask independently: wrap it in `oneAtATime` of `@haft/permission` if they share a terminal.
   */
  readonly ask?: AskUser;
  /** Permission rules that are applied before the user is asked. */
  readonly rules?: readonly PermissionRule[] | LayeredRules;
  /** Permission mode; default `ask`. */
  readonly permissionMode?: PermissionMode;
  /** A permission engine. Replaces `ask`, `rules` and `permissionMode`. */
  readonly permission?: PermissionEngine;
  /** Roots that may be read; default the working directory only. */
  readonly readRoots?: Roots;
  /** Roots that may be written; default the working directory only. */
  readonly writeRoots?: Roots;
  /**
   * Jail for commands; default `{ policy: 'preferred' }`: commands run without network in a jail if one is available.
   */
  readonly jail?: WorkspaceJail;
  /** A workspace. Replaces `cwd`, the roots, `jail`, the permission options and `logger`. */
  readonly workspace?: Workspace;

  /** Options of the built-in tools, or false for no built-in tools. */
  readonly builtins?: Omit<BuiltinsOptions, 'workspace' | 'ask'> | false;
  /** Shows the questions of a model to the user. Without it, the question tool is not available. */
  readonly question?: AskQuestion;
  /** Tools of the program. A tool with the name of a built-in tool replaces it. */
  readonly tools?: readonly AnyTool[];
  /**
   * Enables the tool `program`, which lets a model make many calls with one script. Set true or its options; disabled
   * by default.
   */
  readonly program?: boolean | Omit<ProgramToolOptions, 'source'>;
  /** Prompts, Markdown files, or directories of Markdown files. */
  readonly prompts?: readonly (AgentPrompt | string)[];
  readonly resources?: readonly (Resource | ResourceTemplate)[];
  /**
   * Stores the prompts and resources of the namespace `user` and the approvals of servers: a store of `@haft/store` or
   * its address. Default: in memory.
   */
  readonly store?: Store | string;
  /**
   * A plugin directory or the options of the plugin loader. By default, each plugin runs in its own process in a jail.
   */
  readonly plugins?: string | Omit<PluginLoaderOptions, 'registry'>;
  /**
   * MCP servers by namespace. Each is an address, or the options that `readServers` returns or `createConnection`
   * accepts. Use an array for servers that name themselves. A command starts only after approval by `ask`, a rule or
   * `approveCommand`.
   */
  readonly connections?: Readonly<Record<string, ConnectionSource>> | readonly ConnectionSource[];
  /** Options of the connection manager. `lifecycle: true` lets models connect servers too. */
  readonly mcp?: ToolkitConnectionOptions;

  /** Callbacks that replace parts of the toolkit. */
  readonly delegate?: ToolkitDelegate;
  /** Maximum nesting depth of prompts; default 5. */
  readonly maxPromptDepth?: number;
  /** Traces calls: middleware around every call, for example from a tracing package. */
  readonly tracer?: DispatchMiddleware;
  /** Middleware around every call, inside the tracer. */
  readonly middleware?: readonly DispatchMiddleware[];
  /**
   * Whether models see the text of errors that tools throw, with paths and secrets masked; default `message`. Set
   * `redact` if strangers call the tools.
   */
  readonly errors?: DispatcherOptions['errors'];
  /** Language in which models read the issues of invalid arguments; default `en`. */
  readonly locale?: DispatcherOptions['locale'];
  /** Observes every call. */
  readonly observer?: ToolObserver;
  /** Default: warnings and errors become process warnings; other messages are dropped. */
  readonly logger?: Logger;
  /** Maximum time to wait for servers and plugins at startup, in milliseconds; default 30,000. */
  readonly startTimeoutMs?: number;
}

/** Callbacks that replace parts of the toolkit. The toolkit handles everything that is omitted. */
export interface ToolkitDelegate {
  /** Receives the events of the toolkit. */
  readonly onEvent?: ToolkitListener;
  /** Runs a prompt. The first resource supplies the variables. A thrown error becomes the error of the answer. */
  readonly call?: (prompt: Prompt, ...resources: readonly Resource[]) => Resource | Promise<Resource>;
  /** Connects to an address. Returns undefined for an MCP server. */
  readonly createConnector?: CreateConnector;
}
