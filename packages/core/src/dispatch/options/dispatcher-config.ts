import type { DispatchMiddleware } from '../../contracts/calls/middleware.ts';
import type { PermissionEngine } from '../../contracts/permission/permission.ts';
import type { Workspace } from '../../contracts/workspace/workspace.ts';
import { checkOption, checkOptionNames, hasMethods, isTimeSpan } from '../../check-option.ts';
import { nowhere } from '../../workspace/create-workspace.ts';
import { guardObserver } from '../../events/call-events.ts';
import type { ToolObserver } from '../../events/tool-event.ts';
import { ToolRegistry } from '../../registry/tool-registry.ts';
import { createClock } from '../time/create-clock.ts';
import { createDeadlineTimer, type DeadlineTimer } from '../time/deadline-timer.ts';
import type { DispatcherOptions, SpillText } from './dispatcher-options.ts';
import { planRetries, type RetryPlan } from './retry-options.ts';

/** The dispatcher's options with every default filled in. */
export interface DispatcherConfig {
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

/** Checks the options of a dispatcher and fills in the defaults. */
export function readDispatcherOptions(options: DispatcherOptions): DispatcherConfig {
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
