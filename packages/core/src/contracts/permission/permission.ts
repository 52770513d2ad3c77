import type { Denial } from '../results/error.ts';
import type { Footprint } from './footprint.ts';
import type { ToolKind, ToolTraits } from './traits.ts';

/** A request to a permission engine. */
export interface PermissionRequest {
  readonly callId: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Provider path of the tool, such as `builtin` or `dynamic/mcp/github`. */
  readonly provider: string;
  readonly kind: ToolKind;
  readonly traits: ToolTraits;
  /** The final arguments. They do not change after the permission check. */
  readonly arguments: unknown;
  /** The keys of the arguments. Much cheaper to read than the arguments, which are frozen when they are first read. */
  readonly argumentNames: readonly string[];
  readonly footprint: Footprint;
  /** One line that describes what the call is about to do. */
  readonly title: string;
  readonly cwd: string;
  /** The `sessionId` of the call's context, otherwise its `runId`. Empty if the program gave neither. */
  readonly sessionId: string;
  readonly signal: AbortSignal;
  /**
   * Tells the dispatcher how many questions a person sees before the one about this call; 0 when the person sees it. The
   * time limit for the decision starts again, with `permissionTimeoutMs` for each of these questions and for this one.
   */
  setQuestionsAhead?(count: number): void;
}

/** A file of a footprint, as resolved by the permission engine. */
export interface ResolvedFile {
  /** The footprint's key, such as `file:/project/link`. */
  readonly key: string;
  /** The real path after resolving all symbolic links. Undefined if the path does not resolve. */
  readonly path: string | undefined;
}

/**
 * The final answer of a permission engine. `resolved` holds the real paths of the footprint's files at the time of the
 * decision. The tool body must use exactly these paths, because a symbolic link may change while a person decides.
 */
export type PermissionDecision =
  | { readonly action: 'allow'; readonly resolved?: readonly ResolvedFile[] }
  | { readonly action: 'deny'; readonly denial: Denial };

/**
 * Decides whether a call may run. If it throws or rejects, the engine itself failed (`PERMISSION_ENGINE_FAILED`). This
 * is never a denial.
 */
export interface PermissionEngine {
  ask(request: PermissionRequest): PermissionDecision | Promise<PermissionDecision>;
}

/** A target that the tool body discovers while it runs. The body requests permission before it accesses the target. */
export interface FoundTarget {
  readonly title: string;
  readonly footprint: Footprint;
  readonly arguments?: unknown;
}
