import { checkOption, checkOptions } from '../options/check-options.ts';
import { arrayOf, both, either, objectOf } from '../options/compound-kinds.ts';
import { required, type OptionKind, type OptionTable } from '../options/option-kind.ts';
import { aFunction, anInteger, aString, custom, described, milliseconds } from '../options/option-kinds.ts';
import type { ToolResult } from '../contracts/results/result.ts';
import type { CallInfo, DispatchMiddleware } from '../contracts/calls/middleware.ts';
import { matchesGlob } from '../names/matches-glob.ts';
import { isUnderProvider } from '../names/provider-path.ts';
import { toolError } from '../results/tool-error.ts';
import { failure } from '../results/tool-result.ts';
import { createGate, type Gate } from './gate.ts';

/** A limit that all calls it covers share; one that names neither tool nor provider covers every call. */
export interface CallLimit {
  /** Name of a tool, or a glob such as `search_*`. */
  readonly tool?: string;
  /** Provider path such as `dynamic/mcp/github`, with all below it. */
  readonly provider?: string;
  /** How many may run at once; default: any number. */
  readonly parallel?: number;
  /** How many may begin in a stretch of time; default: any number. */
  readonly rate?: { readonly calls: number; readonly perMs: number };
}

/** How limits are kept. */
export interface CallLimitOptions {
  /**
   * How long a call waits for its turn, in milliseconds, before it is refused with `RATE_LIMITED`; default 30,000. Less
   * than the dispatcher's `middlewareTimeoutMs`, which ends the call with `TIMEOUT`.
   */
  readonly maxWaitMs?: number;
  /** Milliseconds since the epoch; default: the machine's clock. */
  readonly now?: () => number;
}

const limitKind: OptionKind<CallLimit> = both(
  objectOf<CallLimit>(
    {
      tool: described('the name of a tool, or a glob', aString),
      provider: described('a provider path', aString),
      parallel: either(
        anInteger({ min: 1 }),
        custom('Infinity', (value) => value === Infinity),
      ),
      rate: objectOf<NonNullable<CallLimit['rate']>>(
        { calls: required(anInteger({ min: 1 })), perMs: required(milliseconds) },
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
const table: OptionTable<CallLimitOptions> = { maxWaitMs: milliseconds, now: aFunction };

/**
 * Makes middleware that keeps calls within limits: they wait their turn in the order in which they came, after permission
 * was given, and are refused with `RATE_LIMITED` when they would wait too long. The time they wait is not the tool's.
 * Attempts that `retries` makes again belong to the one call. A body that makes further calls under the limit it holds
 * itself makes them wait in vain.
 *
 * @throws HaftError `INVALID_OPTION` for a limit that limits nothing or is none.
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
        // Always in the order of the list, so that no two calls hold what the other waits for.
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
  const error = toolError('RATE_LIMITED', `${call.name} may not be called more often now`, {
    hint: `Nothing was done. Call ${call.name} again in ${seconds} s, or go on without it.`,
    details: { retryAfterMs },
  });
  return failure(call.id, error);
}

function aborted({ call }: CallInfo): ToolResult {
  return failure(call.id, toolError('ABORTED', `${call.name} was cancelled before its turn came`));
}
