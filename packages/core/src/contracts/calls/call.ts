import type { Repair } from '@haft/repair/json';
import type { CallQueue } from './call-queue.ts';
import type { Message } from '../conversation/model.ts';
import type { ProgressUpdate } from '../tools/progress.ts';
import type { Resource } from '../results/resource.ts';
import type { Session } from '../workspace/session.ts';
import type { ToolResult } from '../results/result.ts';
import type { ToolSnapshot } from '../tools/tool.ts';

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

/** Options of a call; every member has a default. */
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
