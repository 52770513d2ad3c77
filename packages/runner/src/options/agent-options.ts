import type {
  AnyTool,
  BatchContext,
  DispatcherOptions,
  DispatchMiddleware,
  Message,
  Model,
  PermissionEngine,
  RunLog,
  Session,
  ToolObserver,
  ToolRegistry,
  ToolResult,
  ToolSource,
  TurnHooks,
  Usage,
  Workspace,
} from '@haft/core';
import type { RunTracing } from '@haft/core/events';
import type { AgentEvent } from '../contracts/agent-event.ts';
import type { CompletedCall } from '../contracts/agent-result.ts';
import type { CompletionGate } from '../contracts/completion-gate.ts';
import type { RunLimits } from '../limits/run-limits.ts';
import type { OutputOptions } from './output-options.ts';
import type { SteerQueue } from '../steer-queue.ts';

/** Tools that a run may use: all tools of the providers (and providers below them), plus the named tools. */
export interface AllowedTools {
  /** Provider paths, such as `builtin` or `dynamic/mcp`. */
  readonly providers?: readonly string[];
  readonly tools?: readonly string[];
}

/** How to retry failed model requests. */
export interface RetryOptions {
  /** Maximum number of retries after a temporary failure (rate limit, broken connection, empty answer); default 3. */
  readonly max?: number;
  /**
   * Milliseconds before the first retry, doubled for each further one; default 500. A vendor's Retry-After takes
   * precedence.
   */
  readonly delayMs?: number;
  /** The run ends if a vendor asks for a longer delay. Default 60,000. */
  readonly maxDelayMs?: number;
}

/** Options of {@link runAgent}. */
export interface RunAgentOptions {
  readonly model: Model;
  /** A registry, a source such as a dispatcher or a toolkit, or an array of tools. Default: no tools. */
  readonly tools?: ToolSource | ToolRegistry | readonly AnyTool[];
  /** The user's request; follows `messages`. One of the two is required. */
  readonly prompt?: string;
  /** The conversation so far, such as `messages` of an earlier run. Copied, not changed. */
  readonly messages?: readonly Message[];
  /** Becomes the first message, unless the conversation already starts with the same one. */
  readonly systemPrompt?: string;

  /** Number of requests that may call tools; default (and 0) 20. A final request without tools asks for the answer. */
  readonly maxToolIterations?: number;
  /** At the limit, `finish` requests an answer without tools and `error` ends the run at once. Default `finish`. */
  readonly onLimit?: 'finish' | 'error';
  /**
   * Whether to throw `RUN_FAILED` instead of returning a result with `error`, for example if the model is unreachable.
   * Failed calls and an abort are never thrown. Default false.
   */
  readonly throwOnError?: boolean;
  /** Limits on calls, tokens, time and cost. */
  readonly limits?: RunLimits;
  /** Returns the cost of a request in US dollars, for models that do not report it. An exception means unknown. */
  readonly costOf?: (usage: Usage) => number | undefined;
  readonly allow?: AllowedTools;
  /** Names of required tools. If one is unavailable, the run ends with `tool-unavailable`. */
  readonly requiredTools?: readonly string[];
  /** Schema of the answer. The result's `output` holds the repaired and validated answer. */
  readonly output?: OutputOptions;
  /**
   * Decides whether the run may end when the model reports that it is done, such as `requireWork()`. Otherwise the
   * model learns what is missing and continues, a limited number of times.
   */
  readonly completion?: CompletionGate;
  /** Whether to extract calls from the text of turns without structured calls; default `extract`. */
  readonly textCalls?: 'extract' | 'ignore';

  /**
   * Receives the conversation before each request and may return another one, such as a shorter one. Every call in it
   * gets exactly one answer. If it throws, the error is reported and the conversation stays unchanged.
   */
  readonly shapeHistory?: (
    messages: readonly Message[],
    about: { readonly turn: number; readonly usage: Usage },
  ) => readonly Message[] | undefined | Promise<readonly Message[] | undefined>;

  /** Receives every event. Exceptions are ignored. */
  readonly onEvent?: (event: AgentEvent) => void;
  /** Receives each result when it arrives. Exceptions are ignored. */
  readonly onToolResult?: (result: ToolResult, call: CompletedCall) => void;
  /** Messages from outside, added before each request. */
  readonly steer?: SteerQueue;
  /**
   * Hooks to call before and after every turn, such as the `hooks` of a plugin loader or of `createHooks`. A failing
   * hook ends the run.
   */
  readonly turnHooks?: readonly TurnHooks[];
  /** Milliseconds for each call of a turn hook; default 60,000. */
  readonly turnHookTimeoutMs?: number;
  /** Ends the run. Every call of the model is still answered. */
  readonly signal?: AbortSignal;
  /** Ends the run at once, without waiting for calls that ignore `signal`. */
  readonly forceSignal?: AbortSignal;

  /** Milliseconds without an event after which a request fails; default 60,000. */
  readonly idleTimeoutMs?: number;
  /** Milliseconds for one request; default 600,000. */
  readonly requestTimeoutMs?: number;
  readonly retries?: RetryOptions;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Whether the model thinks before it answers. A model that does not support it gets a diagnostic. */
  readonly thinking?: boolean;
  /** Maximum number of thinking tokens. A model that does not support it gets a diagnostic. */
  readonly thinkingBudget?: number;

  /** How to run the calls of one turn. */
  readonly mode?: BatchContext['mode'];
  /** Default 8. */
  readonly maxParallel?: number;
  /**
   * Maximum total number of characters of one turn's results in the conversation; default 200,000. The
   * longest are cut in the middle. Events and `calls` contain the whole results.
   */
  readonly maxTurnResultCharacters?: number;
  /**
   * After a denial: `continue` with the other calls, `skip` the following ones, or `stop` the run too. Default
   * `continue`.
   */
  readonly onDenied?: BatchContext['onDenied'];
  /** Milliseconds for each call. Default: the timeout of the tool. */
  readonly toolTimeoutMs?: number;

  /** Traces the run, its turns, its requests and its calls, such as `createTracing()` of `@haft/otel`. */
  readonly tracing?: RunTracing;
  /** Name of the agent in traces. */
  readonly agentName?: string;

  /**
   * Stores the turns of the run, so that another process can continue it after the last complete turn. If the log has
   * turns, `prompt` and `messages` are ignored.
   */
  readonly log?: RunLog;

  readonly session?: Session;
  readonly sessionId?: string;
  /** Default: a random ID, so that a journal on disk never takes runs of two processes for one. */
  readonly runId?: string;

  /** Only if `tools` is a registry or an array; a source has its own. */
  readonly permission?: PermissionEngine;
  /** Only if `tools` is a registry or an array. */
  readonly workspace?: Workspace;
  /**
   * Whether the model sees the text of errors that tools throw, with paths and secrets masked; default `message`. Only
   * if `tools` is a registry or an array.
   */
  readonly errors?: DispatcherOptions['errors'];
  /**
   * Language in which the model reads the issues of invalid arguments; default `en`. Only if `tools` is a registry or an
   * array.
   */
  readonly locale?: DispatcherOptions['locale'];
  /** Only if `tools` is a registry or an array. */
  readonly observer?: ToolObserver;
  /** Only if `tools` is a registry or an array. */
  readonly middleware?: readonly DispatchMiddleware[];
}
