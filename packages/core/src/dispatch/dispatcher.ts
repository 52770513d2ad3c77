import type { PermissionEngine } from '../contracts/permission.ts';
import type { BatchContext, CallContext, ToolCall, ToolSource } from '../contracts/source.ts';
import type { AnyTool } from '../contracts/tool.ts';
import type { Workspace } from '../contracts/workspace.ts';
import { checkOption, checkOptionNames, hasMethods, isTimeSpan } from '../check-option.ts';
import { nowhere } from '../create-workspace.ts';
import { guardObserver } from '../events/guard-observer.ts';
import type { ToolObserver } from '../events/tool-event.ts';
import { tellListener } from '../tell-listener.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { readCircumstances } from './circumstances.ts';
import { createDeadlineTimer, type DeadlineTimer } from './deadline-timer.ts';
import { dispatchBatch } from './dispatch-batch.ts';
import { dispatchCall } from './dispatch-call.ts';
import type { DispatchMiddleware } from './middleware.ts';
import { createClock } from './create-clock.ts';
import { planRetries, type CallRetries, type RetryPlan } from './retry.ts';

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

/** The dispatcher's options with every default filled in. */
export interface DispatcherParts {
  readonly registry: ToolRegistry;
  readonly permission: PermissionEngine;
  readonly workspace: Workspace;
  readonly observer: ToolObserver | undefined;
  readonly middleware: readonly DispatchMiddleware[];
  /** The middleware that has a `prepare`, and that which has an `around`. */
  readonly preparing: readonly DispatchMiddleware[];
  readonly wrapping: readonly DispatchMiddleware[];
  readonly unavailable: 'grace' | 'reject' | 'execute';
  readonly permissionTimeoutMs: number;
  readonly middlewareTimeoutMs: number;
  readonly cancelGraceMs: number;
  readonly maxResultCharacters: number;
  readonly spill: SpillText | undefined;
  readonly retries: RetryPlan | undefined;
  readonly deadlines: DeadlineTimer;
  /** The clock of the workspace, in milliseconds since the epoch; never throws. */
  readonly now: () => number;
}

/**
 * Makes the one road that every call takes: resolve, decode, validate, prepare, authorize, around, execute, settle.
 * Neither `dispatch` nor `dispatchBatch` ever throws; every call gets exactly one result.
 *
 * @throws HaftError `INVALID_OPTION` for options that can't work.
 */
export function createDispatcher(
  options: DispatcherOptions,
): ToolSource & { readonly registry: ToolRegistry; forgetTask(taskId: string): void } {
  const parts = fillIn(options);
  return {
    registry: parts.registry,
    snapshot: () => parts.registry.snapshot(),
    visibleTo: (model) => parts.registry.visibleTo(model),
    dispatch: (call: ToolCall, context?: CallContext) => dispatchCall(call, readCircumstances(context), parts),
    dispatchBatch: (calls: readonly ToolCall[], context?: BatchContext) => dispatchBatch(calls, context, parts),
    forgetTask: (taskId) => {
      for (const middleware of parts.middleware) tellListener(() => middleware.forgetTask?.(taskId), taskId);
    },
  };
}

/** Runs one call of a fixed set of tools; {@link createDispatcher} does the same for many. */
export function dispatch(
  call: ToolCall,
  options: DispatcherOptions & { readonly context?: CallContext },
): ReturnType<ToolSource['dispatch']> {
  const { context, ...dispatcher } = options;
  return dispatchCall(call, readCircumstances(context), fillIn(dispatcher));
}

const optionNames: readonly (keyof DispatcherOptions)[] = [
  'registry',
  'permission',
  'workspace',
  'observer',
  'middleware',
  'unavailable',
  'retries',
  'permissionTimeoutMs',
  'middlewareTimeoutMs',
  'cancelGraceMs',
  'maxResultCharacters',
  'spill',
];

/** Options that can't work are the program's mistake, told when the dispatcher is made and not at its first call. */
function checkOptions(options: DispatcherOptions): void {
  const check = (name: string, isRight: boolean, expected: string, given: unknown): void =>
    checkOption('createDispatcher', name, isRight, expected, given);
  check('its argument', typeof options === 'object' && options !== null, 'an object of options', options);
  checkOptionNames('createDispatcher', options, optionNames);
  const { registry, permission, workspace, observer, middleware, unavailable } = options;
  check(
    'registry',
    registry instanceof ToolRegistry || Array.isArray(registry),
    'a ToolRegistry or a list of tools',
    registry,
  );
  check(
    'permission',
    permission === undefined || hasMethods(permission, 'ask'),
    'a PermissionEngine such as allowAll',
    permission,
  );
  check('workspace', workspace === undefined || hasMethods(workspace, 'now'), 'made by createWorkspace', workspace);
  check('observer', observer === undefined || typeof observer === 'function', 'a function', observer);
  check('middleware', middleware === undefined || Array.isArray(middleware), 'a list', middleware);
  for (const one of middleware ?? [])
    check('middleware', isMiddleware(one), 'a list of { name, prepare?, around? }', one);
  check(
    'unavailable',
    [undefined, 'grace', 'reject', 'execute'].includes(unavailable),
    'grace, reject or execute',
    unavailable,
  );
  check('spill', options.spill === undefined || typeof options.spill === 'function', 'a function', options.spill);
  const { cancelGraceMs = 0 } = options;
  check(
    'cancelGraceMs',
    typeof cancelGraceMs === 'number' && cancelGraceMs >= 0,
    'a number, 0 or above',
    cancelGraceMs,
  );
  for (const name of ['permissionTimeoutMs', 'middlewareTimeoutMs', 'maxResultCharacters'] as const) {
    check(name, options[name] === undefined || isTimeSpan(options[name]), 'a number above 0', options[name]);
  }
}

function isMiddleware(value: unknown): boolean {
  try {
    const { name, prepare, around } = value as Partial<Record<keyof DispatchMiddleware, unknown>>;
    return typeof name === 'string' && [prepare, around].every((hook) => /function|undefined/.test(typeof hook));
  } catch {
    return false;
  }
}

function fillIn(options: DispatcherOptions): DispatcherParts {
  checkOptions(options);
  const { workspace = nowhere, middleware = [] } = options;
  return {
    registry:
      options.registry instanceof ToolRegistry ? options.registry : new ToolRegistry({ tools: options.registry }),
    permission: options.permission ?? workspace.permission,
    workspace,
    observer: options.observer && guardObserver(options.observer, workspace.logger),
    middleware,
    preparing: middleware.filter((one) => one.prepare !== undefined),
    wrapping: middleware.filter((one) => one.around !== undefined),
    unavailable: options.unavailable ?? 'grace',
    permissionTimeoutMs: options.permissionTimeoutMs ?? 600_000,
    middlewareTimeoutMs: options.middlewareTimeoutMs ?? 60_000,
    cancelGraceMs: options.cancelGraceMs ?? 1_000,
    maxResultCharacters: options.maxResultCharacters ?? 200_000,
    spill: options.spill,
    retries: planRetries(options.retries),
    deadlines: createDeadlineTimer(),
    now: createClock(workspace),
  };
}
