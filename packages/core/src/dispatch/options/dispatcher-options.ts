import type { IssueLocale } from '@haft/schema';
import type { DispatchMiddleware } from '../../contracts/calls/middleware.ts';
import type { PermissionEngine } from '../../contracts/permission/permission.ts';
import type { AnyTool, ThrownErrors } from '../../contracts/tools/tool.ts';
import type { Workspace } from '../../contracts/workspace/workspace.ts';
import type { ToolObserver } from '../../events/tool-event.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import type { CallRetries } from './retry-options.ts';

/** Saves a text and returns its location, or nothing if it could not be saved. */
export type SpillText = (text: string, callId: string) => string | undefined | Promise<string | undefined>;

/** Options of {@link createDispatcher}. */
export interface DispatcherOptions {
  /** A registry, which may change while the dispatcher is in use, or a fixed list of tools. */
  readonly registry: ToolRegistry | readonly AnyTool[];
  /**
   * Default: the engine of the workspace, which allows read-only tools and denies all others. `allowAll` allows every
   * call.
   */
  readonly permission?: PermissionEngine;
  /** Default: a workspace without file access. */
  readonly workspace?: Workspace;
  /**
   * Receives the events of all calls. Default: none. Then a `host` fault whose details the model does not read goes to
   * the logger of the workspace, or else becomes a process warning, once for each tool.
   */
  readonly observer?: ToolObserver;
  /** The first middleware is the outermost. */
  readonly middleware?: readonly DispatchMiddleware[];
  /**
   * How to handle a call of a tool that has become unavailable. Default `grace`: the call runs if the snapshot passed
   * with the call contains the tool. `reject`: the call never runs. `execute`: the call always runs.
   */
  readonly unavailable?: 'grace' | 'reject' | 'execute';
  /**
   * Whether models see the text of errors that tools throw, with paths, stack frames, internal addresses and secrets
   * masked. Default: `message`. `redact` hides it for every tool, for example if strangers call the tools.
   */
  readonly errors?: ThrownErrors;
  /** Language in which models read the issues of invalid arguments: English (`en`, the default) or Chinese (`zh`). */
  readonly locale?: IssueLocale;
  /** Retry options. Default: no retries. */
  readonly retries?: CallRetries;
  /**
   * Maximum time for an answer of the permission engine, in milliseconds. It starts when the person sees the question; a
   * call that waits behind other questions gets the same time for each of them. Default: ten minutes.
   */
  readonly permissionTimeoutMs?: number;
  /** Maximum total time for middleware, excluding the body, and for `onStart`, in milliseconds. Default: 60,000. */
  readonly middlewareTimeoutMs?: number;
  /** How long a body may continue after its signal aborts, in milliseconds. Default: 1,000. */
  readonly cancelGraceMs?: number;
  /** Maximum text length of a result. Longer text is cut in the middle. Default: 200,000 characters. */
  readonly maxResultCharacters?: number;
  /**
   * Saves the full text of a truncated result and returns where it can be read. Without it, the omitted text is lost.
   * With `@haft/sandbox`: `(text) => spillText(folder, text)`, where `folder` is the `spillDirectory` of the workspace.
   */
  readonly spill?: SpillText;
}
