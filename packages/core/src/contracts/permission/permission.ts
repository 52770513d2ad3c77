import type { Denial } from '../results/error.ts';
import type { Footprint } from './footprint.ts';
import type { ToolKind, ToolTraits } from './traits.ts';

/** What a permission engine is asked. */
export interface PermissionRequest {
  readonly callId: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Provider path of the tool, such as `builtin` or `dynamic/mcp/github`. */
  readonly provider: string;
  readonly kind: ToolKind;
  readonly traits: ToolTraits;
  /** The final arguments: nothing rewrites them after this question. */
  readonly arguments: unknown;
  readonly footprint: Footprint;
  /** One line that says what is about to happen. */
  readonly title: string;
  readonly cwd: string;
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

/** A file of a footprint, as an engine looked at it. */
export interface ResolvedFile {
  /** The footprint's key, such as `file:/project/link`. */
  readonly key: string;
  /** The real path it led to, with every link followed; undefined when it led nowhere. */
  readonly path: string | undefined;
}

/**
 * The answer; never "ask again". `resolved` says where the files of the footprint led when they were judged: a body uses
 * exactly those, since a link may have been changed while a person thought about it.
 */
export type PermissionDecision =
  | { readonly action: 'allow'; readonly resolved?: readonly ResolvedFile[] }
  | { readonly action: 'deny'; readonly denial: Denial };

/**
 * Decides whether a call may run.
 * A throw or a rejection means the engine itself failed (`PERMISSION_ENGINE_FAILED`), never a denial.
 */
export interface PermissionEngine {
  ask(request: PermissionRequest): PermissionDecision | Promise<PermissionDecision>;
}

/** A target found on the way, which the body asks about before it touches it. */
export interface FoundTarget {
  readonly title: string;
  readonly footprint: Footprint;
  readonly arguments?: unknown;
}
