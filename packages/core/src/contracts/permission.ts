import type { Denial } from './error.ts';
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

/** The answer; never "ask again". */
export type PermissionDecision = { readonly action: 'allow' } | { readonly action: 'deny'; readonly denial: Denial };

/**
 * Decides whether a call may run.
 * A throw or a rejection means the engine itself failed (`PERMISSION_ENGINE_FAILED`), never a denial.
 */
export interface PermissionEngine {
  ask(request: PermissionRequest): PermissionDecision | Promise<PermissionDecision>;
}
