import type { DispatchMiddleware } from '../../contracts/calls/middleware.ts';
import type { PermissionEngine } from '../../contracts/permission/permission.ts';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import type { Workspace } from '../../contracts/workspace/workspace.ts';
import type { ToolObserver } from '../../events/tool-event.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import type { CallRetries } from './retry-options.ts';

/** Keeps a text somewhere; answers where, or nothing when it could not. */
export type SpillText = (text: string, callId: string) => string | undefined | Promise<string | undefined>;

/** What {@link createDispatcher} takes. */
export interface DispatcherOptions {
  /** A registry, which may change while the dispatcher is used, or a fixed list of tools. */
  readonly registry: ToolRegistry | readonly AnyTool[];
  /** Default: the workspace's, which allows read-only tools and denies the rest; `allowAll` lets everything run. */
  readonly permission?: PermissionEngine;
  /** Default: one in which no file can be reached. */
  readonly workspace?: Workspace;
  readonly observer?: ToolObserver;
  /** The first one is the outermost. */
  readonly middleware?: readonly DispatchMiddleware[];
  /**
   * What happens to a call of a tool that has become unavailable. Default `grace`: it runs when the snapshot given
   * with the call still had it; `reject`: never; `execute`: always.
   */
  readonly unavailable?: 'grace' | 'reject' | 'execute';
  /** Default: a call is made once. */
  readonly retries?: CallRetries;
  /** How long a question to the permission engine may stay open, in milliseconds; default ten minutes. */
  readonly permissionTimeoutMs?: number;
  /** How long middleware may take in all besides the body, in milliseconds; default 60,000. */
  readonly middlewareTimeoutMs?: number;
  /** How long a body may take to wind up after its signal aborted, in milliseconds; default 1,000. */
  readonly cancelGraceMs?: number;
  /** Text of a result beyond this many characters is cut in the middle; default 200,000. */
  readonly maxResultCharacters?: number;
  /**
   * Keeps the whole of a text that is cut and says where it can be read; what is cut is gone without it. With
   * `@haft/sandbox`: `(text) => spillText(folder, text)`, where `folder` is the workspace's `spillDirectory`.
   */
  readonly spill?: SpillText;
}
