import type { IssueLocale } from '@haft/schema';
import type { DispatchMiddleware } from '../../contracts/calls/middleware.ts';
import type { PermissionEngine } from '../../contracts/permission/permission.ts';
import type { Workspace } from '../../contracts/workspace/workspace.ts';
import type { AnyTool, ThrownErrors } from '../../contracts/tools/tool.ts';
import { checkOptions } from '../../options/check-options.ts';
import { arrayOf, either } from '../../options/compound-kinds.ts';
import { permissionEngineKind, workspaceKind, middlewareListKind } from '../../options/contract-kinds.ts';
import { required, type OptionTable } from '../../options/option-kind.ts';
import {
  functionKind,
  instanceKind,
  numberKind,
  anyKind,
  millisecondsKind,
  oneOf,
} from '../../options/option-kinds.ts';
import { nowhere } from '../../workspace/create-workspace.ts';
import { guardObserver } from '../../events/call-events.ts';
import type { ToolObserver } from '../../events/tool-event.ts';
import { ToolRegistry } from '../../registry/tool-registry.ts';
import { createClock } from '../time/create-clock.ts';
import { createDeadlineTimer, type DeadlineTimer } from '../time/deadline-timer.ts';
import type { DispatcherOptions, SpillText } from './dispatcher-options.ts';
import { planRetries, retryKind, type RetryPlan } from './retry-options.ts';

/** The options of the dispatcher with all defaults applied. */
export interface DispatcherConfig {
  readonly registry: ToolRegistry;
  readonly permission: PermissionEngine;
  readonly workspace: Workspace;
  readonly observer: ToolObserver | undefined;
  readonly middleware: readonly DispatchMiddleware[];
  /** Middleware with a `prepare` method, and middleware with an `around` method. */
  readonly preparing: readonly DispatchMiddleware[];
  readonly wrapping: readonly DispatchMiddleware[];
  readonly unavailable: 'grace' | 'reject' | 'execute';
  readonly errors: ThrownErrors;
  readonly locale: IssueLocale | undefined;
  readonly permissionTimeoutMs: number;
  readonly middlewareTimeoutMs: number;
  readonly cancelGraceMs: number;
  readonly maxResultCharacters: number;
  readonly spill: SpillText | undefined;
  readonly retries: RetryPlan | undefined;
  readonly deadlines: DeadlineTimer;
  /** The clock of the workspace, in milliseconds since the epoch. Never throws. */
  readonly now: () => number;
}

const table: OptionTable<DispatcherOptions> = {
  registry: required(
    either(instanceKind('a ToolRegistry', ToolRegistry), arrayOf<AnyTool>(anyKind, 'an array of tools')),
  ),
  permission: permissionEngineKind,
  workspace: workspaceKind,
  observer: functionKind,
  middleware: middlewareListKind,
  unavailable: oneOf('grace', 'reject', 'execute'),
  errors: oneOf('message', 'redact'),
  locale: oneOf('en', 'zh'),
  retries: retryKind,
  permissionTimeoutMs: millisecondsKind,
  middlewareTimeoutMs: millisecondsKind,
  cancelGraceMs: numberKind({ min: 0 }),
  maxResultCharacters: numberKind({ above: 0 }),
  spill: functionKind,
};
export const dispatcherOptionNames: readonly string[] = Object.keys(table);
const tableOfOneCall = { ...table, context: anyKind };

/**
 * Validates the options of a dispatcher and applies the defaults.
 * @throws HaftError `INVALID_OPTION`.
 */
export function readDispatcherOptions(options: DispatcherOptions): DispatcherConfig {
  checkOptions('createDispatcher', options, table, '{ registry, permission }');
  return fillIn(options);
}

/** Does the same for `dispatch`, whose options also include the context of the call. */
export function readOptionsOfOneCall(options: DispatcherOptions & { readonly context?: unknown }): DispatcherConfig {
  checkOptions('dispatch', options, tableOfOneCall, '{ registry, permission, context }');
  return fillIn(options);
}

function fillIn(options: DispatcherOptions): DispatcherConfig {
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
    errors: options.errors ?? 'message',
    locale: options.locale,
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
