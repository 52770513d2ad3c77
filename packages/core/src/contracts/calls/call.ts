import type { Repair } from '@haft/repair/json';
import type { CallQueue } from './call-queue.ts';
import type { Message, Model } from '../conversation/model.ts';
import type { ProgressUpdate } from '../tools/progress.ts';
import type { ToolError } from '../results/error.ts';
import type { Resource } from '../results/resource.ts';
import type { Session } from '../workspace/session.ts';
import type { ToolResult } from '../results/result.ts';
import type { AnyTool, ToolSnapshot } from '../tools/tool.ts';

/** A call as the model wrote it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The text that the model wrote, or a value if the text is already parsed. */
  readonly arguments: unknown;
  /** `stop` if the model ended its message by itself, and otherwise `length`. With another value, the call does not run. */
  readonly stopped?: 'stop' | 'length';
  /** Details of how the arguments were extracted. Absent if the arguments are still text. */
  readonly reading?: CallReading;
}

/** Describes how arguments were parsed from text. */
export interface CallReading {
  readonly risk: 'none' | 'safe' | 'lossy' | 'truncated';
  readonly complete: boolean;
  readonly repairs: readonly Repair[];
}

/** A body that runs next, unless middleware around it waits or answers instead. */
export interface CallStart {
  readonly tool: AnyTool;
  /** The final arguments, frozen. */
  readonly arguments: unknown;
}

/** Options of a call. All members are optional. */
export interface CallContext {
  /** The snapshot that the model was shown. Default: the current snapshot. */
  readonly snapshot?: ToolSnapshot;
  readonly signal?: AbortSignal;
  /**
   * Timeout in milliseconds, for the body with its retries, and for each other step of the tool: validating, its `check`,
   * and checking its output. Overrides the tool's own `timeoutMs`.
   */
  readonly timeoutMs?: number;
  readonly sessionId?: string;
  readonly runId?: string;
  readonly turn?: number;
  readonly messageId?: string;
  readonly inferenceId?: string;
  /** ID of the call that makes this call, such as the call of a script. Default: none. */
  readonly parentCallId?: string;
  /**
   * Name of the model, or `vendor/name`. Without a snapshot, tools that do not support it are not found. A vendor in
   * `supportedModels` only matches a name that includes the vendor.
   */
  readonly modelName?: string;
  /** The model of the run, for tools that run agents of their own. It takes precedence over `modelName`. */
  readonly model?: Model;
  readonly session?: Session;
  readonly resources?: readonly Resource[];
  readonly messages?: readonly Message[];
  /**
   * A queue shared with calls of other batches. Default: none. If a tool body dispatches further calls, it must not use
   * its own queue for them: the calls would wait for the body.
   */
  readonly queue?: CallQueue;
  /**
   * Called with progress updates of this call only. The observer of the dispatcher receives the progress of every call.
   */
  readonly onProgress?: (update: ProgressUpdate) => void;
  /**
   * A key that is the same for every attempt of one piece of work. The body finds it in its context, and passes it on
   * to a service that ignores repeated requests. Default: none.
   */
  readonly idempotencyKey?: string;
  /**
   * Called once, after permission is granted and before the body first runs, with the final arguments. If it returns an
   * error, the body does not run and the call fails with this error. A cancellation or the dispatcher's
   * `middlewareTimeoutMs` ends the wait for the answer.
   */
  readonly onStart?: (start: CallStart) => ToolError | undefined | Promise<ToolError | undefined>;
}

/** Options for running the calls of one turn. */
export interface BatchContext extends CallContext {
  /**
   * Default `leases`: calls whose footprints do not conflict run concurrently. `reads-then-writes` runs all reads
   * before the writes, which run one by one. `parallelizable` ignores footprints: all parallelizable reads run first
   * and together, then the other calls in order, where a parallelizable call may overlap with parallelizable
   * neighbors. `serial` runs the calls one by one.
   */
  readonly mode?: 'leases' | 'reads-then-writes' | 'parallelizable' | 'serial';
  /**
   * Maximum number of concurrent calls. Default: 8. Ignored if `queue` is given, because the queue has its own maximum.
   */
  readonly maxParallel?: number;
  /** How to handle later calls when a call is denied. Default: `continue`. */
  readonly onDenied?: 'continue' | 'skip' | 'stop';
  /** Called with each result as soon as it is available, in order of completion. */
  readonly onResult?: (result: ToolResult, index: number) => void;
}
