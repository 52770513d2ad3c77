import type { PermissionDecision, ResolvedFile } from './permission.ts';
import type { Footprint } from './footprint.ts';
import type { Resource } from './resource.ts';
import type { Logger, Session } from './session.ts';
import type { ToolSnapshot } from './source.ts';
import type { Workspace } from './workspace.ts';

/** A target found on the way, which the body asks about before it touches it. */
export interface FoundTarget {
  readonly title: string;
  readonly footprint: Footprint;
  readonly arguments?: unknown;
}

/** What a tool body is given besides its arguments. */
export interface ToolContext {
  /** Absolute working directory. */
  readonly cwd: string;
  readonly writeRoots: readonly string[] | 'unrestricted';
  readonly workspace: Workspace;
  /** Aborts when the call is cancelled or its deadline passes; the same object for the whole call. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch at which the call times out. */
  readonly deadline: number;
  readonly now: () => number;
  readonly logger: Logger;
  /** Reports progress: a message, or how much of a total is done. Never throws. */
  readonly progress: (update: ProgressUpdate | string) => void;
  /** What the engine that allowed the call has to say. */
  readonly permission: {
    /** Asks it about a target found on the way. */
    ask(target: FoundTarget): Promise<PermissionDecision>;
    /** Where the files of the call's own footprint led when it was allowed; absent when the engine did not look. */
    readonly resolved?: readonly ResolvedFile[];
  };
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  readonly messageId: string;
  readonly inferenceId: string;
  readonly callId: string;
  /** The call that this one is made for, where there is one. */
  readonly parentCallId?: string | undefined;
  /** The tools that there were to call together with this one: what the model was shown, or else the newest. */
  readonly snapshot?: ToolSnapshot;
  readonly modelName: string;
  readonly session: Session;
  /** Further resources handed to the call. */
  readonly resources: readonly Resource[];
}

/** How far a call has come. */
export interface ProgressUpdate {
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
  /** A piece of output as it arrives. */
  readonly output?: string;
}
