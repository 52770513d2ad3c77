import type { CallQueue } from './call-queue.ts';
import type { Message } from './model.ts';
import type { Prompt } from './prompt.ts';
import type { Resource } from './resource.ts';
import type { ToolResult } from './result.ts';
import type { Session } from './session.ts';
import type { AnyTool } from './tool.ts';
import type { TurnHooks } from './turn-hooks.ts';
import type { ProgressUpdate } from './context.ts';
import type { DispatchMiddleware } from './middleware.ts';
import type { Repair } from '@haft/repair/json';

/** A call as a model made it, wherever it was found. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The text the model wrote, or a value when somebody has read it already. */
  readonly arguments: unknown;
  /** Why the model stopped; what is not known counts as `length`. */
  readonly stopped?: 'stop' | 'length';
  /** What an extraction found out about the arguments; absent when they are still text. */
  readonly reading?: CallReading;
}

/** How arguments that are no longer text were read. */
export interface CallReading {
  readonly risk: 'none' | 'safe' | 'lossy' | 'truncated';
  readonly complete: boolean;
  readonly repairs: readonly Repair[];
}

/** Everything about the circumstances of a call; every member has a default. */
export interface CallContext {
  /** The snapshot that the model was shown; default: the newest. */
  readonly snapshot?: ToolSnapshot;
  readonly signal?: AbortSignal;
  /** Milliseconds that override the tool's own `timeoutMs`. */
  readonly timeoutMs?: number;
  readonly sessionId?: string;
  readonly runId?: string;
  readonly turn?: number;
  readonly messageId?: string;
  readonly inferenceId?: string;
  /** The call that this one is made for, such as that of a script; default: none. */
  readonly parentCallId?: string;
  readonly modelName?: string;
  readonly session?: Session;
  readonly resources?: readonly Resource[];
  readonly messages?: readonly Message[];
  /**
   * The order that the call shares with calls of other batches; default: none. A body that dispatches further calls must
   * not put them into the queue of its own: they would wait for it.
   */
  readonly queue?: CallQueue;
  /** Hears progress of this call alone; the dispatcher's observer hears of every call. */
  readonly onProgress?: (update: ProgressUpdate) => void;
}

/** How the calls of one turn are run. */
export interface BatchContext extends CallContext {
  /** Default `leases`: calls whose footprints do not conflict overlap; `reads-then-writes` is the classic order. */
  readonly mode?: 'leases' | 'reads-then-writes' | 'serial';
  /** How many calls run at once; default 8. A `queue` has its own number. */
  readonly maxParallel?: number;
  /** What a denial means for the calls after it; default `continue`. */
  readonly onDenied?: 'continue' | 'skip' | 'stop';
  /** Hears each result as soon as it is there, in order of completion. */
  readonly onResult?: (result: ToolResult, index: number) => void;
}

/** The tools of one moment: immutable, sorted by name; what a search found comes after what was there before. */
export interface ToolSnapshot {
  /** Grows with every change of the registry. */
  readonly version: number;
  readonly tools: readonly AnyTool[];
  readonly names: readonly string[];
  get(name: string): AnyTool | undefined;
  has(name: string): boolean;
  /** Provider path of a tool of this snapshot. */
  providerFor(name: string): string | undefined;
}

/** What loops, servers and adapters consume: tools that can be shown and called. */
export interface ToolSource {
  snapshot(): ToolSnapshot;
  /** What this model may be shown now: enabled, supported and available. */
  visibleTo(model: { readonly name: string; readonly vendor?: string }): Promise<ToolSnapshot>;
  /** Runs one call. Never throws; resolves to exactly one result. */
  dispatch(call: ToolCall, context?: CallContext): Promise<ToolResult>;
  /** Runs the calls of one turn; results in call order, one each. Never throws. */
  dispatchBatch(calls: readonly ToolCall[], context?: BatchContext): Promise<readonly ToolResult[]>;
  /** Lets middleware forget what it keeps for a task, named by its `runId`, or else `sessionId`: the task is over. */
  forgetTask?(taskId: string): void;
}

/** What brings tools at run time: plugins, generated tools, MCP connections. */
export interface ToolProvider {
  /** Provider path, such as `dynamic/plugin/weather`. */
  readonly path: string;
  /** Tools that manage this provider; registered last in every batch, under `lifecycle`. */
  readonly lifecycleTools: readonly AnyTool[];
  start(): Promise<void>;
  /** Starts, and brings back what was kept from another run; any number of times. Absent where nothing is kept. */
  restore?(): Promise<RestoreReport>;
  stop(): Promise<void>;
  /** Prompts that it brings besides tools, sorted by name: the same list until one comes or goes. Absent where it never brings any. */
  prompts?(): readonly Prompt[];
  /** Resources that it brings besides tools, sorted by URI: the same list until one comes or goes. Absent where it never brings any. */
  resources?(): readonly Resource[];
  /**
   * Hooks that it brings, whichever these are at the time: `middleware` for a dispatcher and `turnHooks` for a loop. Absent where
   * it never brings any.
   */
  readonly hooks?: DispatchMiddleware & TurnHooks;
  /** Tells when tools, prompts or resources came or went; returns how to stop listening. */
  onChange(listener: () => void): () => void;
}

/** What became of the tools that a provider kept from another run. */
export interface RestoreReport {
  /** Names of the tools that can be called again. */
  readonly restored: readonly string[];
  /** Their names belong to somebody else: built-in tools, for one, come first. */
  readonly shadowed: readonly RestoreProblem[];
  /** They are remembered, but what they are made of is gone. */
  readonly missing: readonly RestoreProblem[];
  /** They are not what was approved, and are not run until they are approved again. */
  readonly changed: readonly RestoreProblem[];
  /** They can't be read or loaded. */
  readonly failed: readonly RestoreProblem[];
}

/** A tool that was not brought back, and why. */
export interface RestoreProblem {
  readonly name: string;
  readonly reason: string;
}
