import type {
  AnyTool,
  BatchContext,
  DispatchMiddleware,
  Message,
  Model,
  PermissionEngine,
  Session,
  ToolObserver,
  ToolRegistry,
  ToolResult,
  ToolSource,
  TurnHooks,
  Usage,
  Workspace,
} from '@haft/core';
import type { AgentEvent } from './agent-event.ts';
import type { CompletedCall } from './agent-result.ts';
import type { CompletionGate } from './completion-gate.ts';
import type { RunLimits } from '../limits/run-limits.ts';
import type { OutputOptions } from './output-options.ts';
import type { SteerQueue } from '../steer-queue.ts';

/** Which tools a run may use: those of the providers (and of those below them) and, besides, those named. */
export interface AllowedTools {
  /** Provider paths, such as `builtin` or `dynamic/mcp`. */
  readonly providers?: readonly string[];
  readonly tools?: readonly string[];
}

/** How often and how long a request to the model is tried again. */
export interface RetryOptions {
  /** Further attempts after a failure that may pass (rate limit, cut connection, empty answer); default 3. */
  readonly attempts?: number;
  /** Milliseconds before the first further attempt, doubled for each next; default 500. A vendor's Retry-After goes before. */
  readonly delayMs?: number;
  /** A vendor that asks for a longer pause than this is not waited for: the run ends. Default 60,000. */
  readonly maxDelayMs?: number;
}

/** What {@link runAgent} takes. */
export interface RunAgentOptions {
  readonly model: Model;
  /** A registry, a source such as a dispatcher or a toolkit, a list of tools, or nothing: then no tool can be called. */
  readonly tools?: ToolSource | ToolRegistry | readonly AnyTool[];
  /** What the person asks; comes after `messages`. One of the two is needed. */
  readonly prompt?: string;
  /** The conversation so far, such as the `messages` of an earlier run. It is copied, not changed. */
  readonly messages?: readonly Message[];
  /** Becomes the first message, unless the conversation begins with one like it. */
  readonly systemPrompt?: string;

  /** How many requests may call tools; default (and 0) 20. One more request, without tools, gives the answer. */
  readonly maxToolIterations?: number;
  /** At the limit: `finish` asks for an answer without tools; `error` ends the run at once. Default `finish`. */
  readonly onLimit?: 'finish' | 'error';
  /** Bounds on calls, tokens, time and money. */
  readonly limits?: RunLimits;
  /** US dollars that a request cost, for models that do not say. What it throws counts as nothing known. */
  readonly costOf?: (usage: Usage) => number | undefined;
  readonly allow?: AllowedTools;
  /** Names without which the run makes no sense: it ends with `tool-unavailable` when one can't be used. */
  readonly requiredTools?: readonly string[];
  /** The shape that the answer is to have; the result's `output` then holds it, repaired and validated. */
  readonly output?: OutputOptions;
  /**
   * Looks whether the run may end when the model says that it is done, such as `requireWork()`; the model is told what is missing and
   * sent back, a few times.
   */
  readonly completion?: CompletionGate;
  /** Whether calls written as text are looked for when a turn has no structured ones; default `extract`. */
  readonly textCalls?: 'extract' | 'ignore';

  /**
   * Looks at the conversation before each request, and may give another one back, such as a shorter one; each call is
   * given its one answer in it. What it throws is reported, and the conversation stays as it was.
   */
  readonly shapeHistory?: (
    messages: readonly Message[],
    about: { readonly turn: number; readonly usage: Usage },
  ) => readonly Message[] | undefined | Promise<readonly Message[] | undefined>;

  /** Hears everything as it happens. What it throws is dropped. */
  readonly onEvent?: (event: AgentEvent) => void;
  /** Hears each result as soon as it is there. What it throws is dropped. */
  readonly onToolResult?: (result: ToolResult, call: CompletedCall) => void;
  /** Messages from outside; taken in before each request. */
  readonly steer?: SteerQueue;
  /** Asked before and after every turn, such as the `hooks` of a plugin loader, or what `createHooks` makes. One that fails ends the run. */
  readonly turnHooks?: readonly TurnHooks[];
  /** Milliseconds that one of `turnHooks` may take to answer; default 60,000. */
  readonly turnHookTimeoutMs?: number;
  /** Ends the run; every call that the model made is still answered. */
  readonly signal?: AbortSignal;
  /** Ends the run at once: nobody waits any longer for calls that don't listen to `signal`. */
  readonly forceSignal?: AbortSignal;

  /** Milliseconds without any event after which a request counts as failed; default 60,000. */
  readonly idleTimeoutMs?: number;
  /** Milliseconds that one request may take in all; default 600,000. */
  readonly requestTimeoutMs?: number;
  readonly retries?: RetryOptions;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;

  /** How the calls of one turn are run. */
  readonly mode?: BatchContext['mode'];
  /** Default 8. */
  readonly maxParallel?: number;
  /** After a denial: `continue` with the other calls, `skip` those after it, or `stop` the run too. Default `continue`. */
  readonly onDenied?: BatchContext['onDenied'];
  /** Milliseconds a call may take; default: what each tool says. */
  readonly toolTimeoutMs?: number;

  readonly session?: Session;
  readonly sessionId?: string;
  /** Default: unique within this process. */
  readonly runId?: string;

  /** Only when `tools` is a registry or a list; a source has been made with its own. */
  readonly permission?: PermissionEngine;
  /** Only when `tools` is a registry or a list. */
  readonly workspace?: Workspace;
  /** Only when `tools` is a registry or a list. */
  readonly observer?: ToolObserver;
  /** Only when `tools` is a registry or a list. */
  readonly middleware?: readonly DispatchMiddleware[];
}
