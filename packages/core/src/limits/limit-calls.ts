import { checkOption, checkOptions } from '../options/check-options.ts';
import { arrayOf, both, either, objectOf } from '../options/compound-kinds.ts';
import { required, type OptionKind, type OptionTable } from '../options/option-kind.ts';
import { functionKind, integerKind, stringKind, custom, described, millisecondsKind } from '../options/option-kinds.ts';
import type { ToolResult } from '../contracts/results/result.ts';
import type { CallInfo, DispatchMiddleware } from '../contracts/calls/middleware.ts';
import { matchesGlob } from '../names/matches-glob.ts';
import { isUnderProvider } from '../names/provider-path.ts';
import { toolError } from '../results/tool-error.ts';
import { failure } from '../results/tool-result.ts';
import { createGate, type Gate } from './call-gate.ts';

/** A limit shared by all calls that it covers. Without a tool or provider, it covers every call. */
export interface CallLimit {
  /** Name of a tool, or a glob such as `search_*`. */
  readonly tool?: string;
  /** Provider path such as `dynamic/mcp/github`. Includes all providers below it. */
  readonly provider?: string;
  /** Maximum number of concurrent calls. Default: no limit. */
  readonly parallel?: number;
  /** Maximum number of calls that may start in a period. Default: no limit. */
  readonly rate?: { readonly calls: number; readonly perMs: number };
}

/** Options of {@link limitCalls}. */
export interface CallLimitOptions {
  /**
   * Maximum waiting time of a call in milliseconds before it fails with `RATE_LIMITED`. Default: 30,000. Must be less
   * than the dispatcher's `middlewareTimeoutMs`, which ends the call with `TIMEOUT`.
   */
  readonly maxWaitMs?: number;
  /** Returns the current time in milliseconds since the epoch. Default: the system clock. */
  readonly now?: () => number;
}

const limitKind: OptionKind<CallLimit> = both(
  objectOf<CallLimit>(
    {
      tool: described('the name of a tool, or a glob', stringKind),
      provider: described('a provider path', stringKind),
      parallel: either(
        integerKind({ min: 1 }),
        custom('Infinity', (value) => value === Infinity),
      ),
      rate: objectOf<NonNullable<CallLimit['rate']>>(
        { calls: required(integerKind({ min: 1 })), perMs: required(millisecondsKind) },
        '{ calls: 5, perMs: 1000 }',
      ),
    },
    '{ tool: "search_*", parallel: 2 }',
  ),
  custom('a limit with parallel or rate', (value) => {
    const { parallel = Infinity, rate } = value as CallLimit;
    return parallel !== Infinity || rate !== undefined;
  }),
);
const table: OptionTable<CallLimitOptions> = { maxWaitMs: millisecondsKind, now: functionKind };

/**
 * Creates middleware that limits calls. After the permission check, calls wait in order of arrival. A call that would
 * wait too long fails with `RATE_LIMITED`. The waiting time does not count toward the tool's timeout. Attempts made by
 * `retries` belong to the same call. A tool body must not make calls under a limit that its own call holds: they would
 * wait until they time out.
 *
 * @throws HaftError `INVALID_OPTION` if a limit is invalid or limits nothing.
 */
export function limitCalls(limits: readonly CallLimit[], options: CallLimitOptions = {}): DispatchMiddleware {
  checkOption('limitCalls', 'limits', limits, arrayOf(limitKind, 'a list of limits'));
  checkOptions('limitCalls', options, table, '{ maxWaitMs: 5000 }');
  const { maxWaitMs = 30_000, now = Date.now } = options;
  const gates = limits.map((limit) => ({ limit, gate: gateFor(limit, now) }));
  return {
    name: 'limits',
    async around(info, next) {
      const held: (() => void)[] = [];
      const until = now() + maxWaitMs;
      try {
        // Always enters the gates in list order, to prevent deadlocks.
        for (const { limit, gate } of gates) {
          if (!covers(limit, info)) continue;
          const admission = await gate.enter(Math.max(0, until - now()), info.context.signal);
          if (admission === 'aborted') return aborted(info);
          if ('retryAfterMs' in admission) return refused(info, Math.ceil(admission.retryAfterMs));
          held.push(admission.leave);
        }
        return await next();
      } finally {
        for (const leave of held) leave();
      }
    },
  };
}

function gateFor({ parallel = Infinity, rate }: CallLimit, now: () => number): Gate {
  return createGate({ parallel, calls: rate?.calls ?? Infinity, perMs: rate?.perMs ?? 0 }, now);
}

function covers({ tool, provider }: CallLimit, info: CallInfo): boolean {
  return (
    (tool === undefined || matchesGlob(tool, info.call.name)) &&
    (provider === undefined || isUnderProvider(info.provider, provider))
  );
}

function refused({ call }: CallInfo, retryAfterMs: number): ToolResult {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const error = toolError('RATE_LIMITED', `${call.name} has reached its call limit`, {
    hint: `Nothing was done. Call ${call.name} again in ${seconds} s, or continue without it.`,
    details: { retryAfterMs },
  });
  return failure(call.id, error);
}

function aborted({ call }: CallInfo): ToolResult {
  return failure(call.id, toolError('ABORTED', `${call.name} was cancelled while it waited for its limit`));
}
