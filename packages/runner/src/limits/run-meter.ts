import type { ToolError, Usage } from '@haft/core';
import { toolError } from '@haft/core';
import type { LimitKind, RunLimits } from './run-limits.ts';

/** Tracks the usage of a run and detects its limits. */
export interface RunMeter {
  /** Aborts with the run's signal, and when the working time is over. */
  readonly signal: AbortSignal | undefined;
  /** The first limit reached. Never changes afterwards. */
  readonly reached: LimitKind | undefined;
  /** Remaining calls. */
  readonly callsLeft: number;
  /** Remaining milliseconds for a request: of the working time or, after it, of the last answer. */
  readonly msLeft: number;
  /** The state that a later process needs to continue. */
  readonly used: MeterUse;
  countCalls(count: number): void;
  /** Checks the limits at the end of a turn. */
  check(turn: number, usage: Usage): LimitKind | undefined;
  /** Stops the timer. */
  end(): void;
}

/** The usage of a run, as JSON. */
export interface MeterUse {
  readonly calls: number;
  /** Milliseconds, without the time between two processes. */
  readonly elapsedMs: number;
  readonly reached?: LimitKind;
}

/** Options of {@link createRunMeter}. */
export interface MeterOptions {
  readonly turns: number;
  readonly limits: RunLimits;
  readonly signal: AbortSignal | undefined;
  /** The usage of an earlier process. */
  readonly used?: MeterUse | undefined;
}

/** Maximum delay of a timer. */
const maxTimerMs = 2_000_000_000;

/** Creates a meter. Its time starts now, or continues. */
export function createRunMeter({ turns, limits, signal, used }: MeterOptions): RunMeter {
  const { toolCalls = Infinity, tokens = Infinity, costUsd = Infinity, wallTimeMs } = limits;
  const startedAt = Date.now() - (used?.elapsedMs ?? 0);
  const leftMs = wallTimeMs === undefined ? Infinity : Math.max(0, startedAt + wallTimeMs - Date.now());
  const clock = wallTimeMs === undefined ? undefined : startClock(leftMs, signal);
  let reached = used?.reached ?? (leftMs === 0 ? 'wall-time' : undefined);
  let calls = used?.calls ?? 0;
  return {
    get used() {
      const { reached } = this;
      return { calls, elapsedMs: Date.now() - startedAt, ...(reached && { reached }) };
    },
    signal: clock ? clock.signal : signal,
    get reached() {
      if (reached === undefined && clock?.isOver()) reached = 'wall-time';
      return reached;
    },
    get callsLeft() {
      return toolCalls - calls;
    },
    get msLeft() {
      if (wallTimeMs === undefined) return Infinity;
      const { lastAnswerMs = 30_000 } = limits;
      return Math.max(1, startedAt + wallTimeMs + (this.reached === undefined ? 0 : lastAnswerMs) - Date.now());
    },
    countCalls(count) {
      calls += count;
    },
    check(turn, usage) {
      if (this.reached !== undefined) return reached;
      if (turn >= turns) reached = 'turns';
      else if (calls >= toolCalls) reached = 'tool-calls';
      else if (tokensOf(usage) >= tokens) reached = 'tokens';
      else if ((usage.costUsd ?? 0) >= costUsd) reached = 'cost';
      return reached;
    },
    end() {
      clock?.end();
    },
  };
}

/** Returns the error of a run that ends at a limit without an answer. It names the option that sets the limit. */
export function limitError(reached: LimitKind, turns: number, limits: RunLimits = {}): ToolError {
  const words: Readonly<Record<LimitKind, string>> = {
    turns: `${turns} turns (maxToolIterations)`,
    'tool-calls': `${limits.toolCalls} tool calls (limits.toolCalls)`,
    tokens: `${limits.tokens} tokens (limits.tokens)`,
    'wall-time': `${limits.wallTimeMs} ms (limits.wallTimeMs)`,
    cost: `${limits.costUsd} US dollars (limits.costUsd)`,
  };
  return toolError('LIMIT_REACHED', `the run reached its limit of ${words[reached]}`, { details: { limit: reached } });
}

function tokensOf({ totalTokens, inputTokens = 0, outputTokens = 0 }: Usage): number {
  return totalTokens ?? inputTokens + outputTokens;
}

interface Clock {
  readonly signal: AbortSignal;
  isOver(): boolean;
  end(): void;
}

function startClock(ms: number, signal: AbortSignal | undefined): Clock {
  const controller = new AbortController();
  let isOver = false;
  const onAbort = (): void => controller.abort(signal?.reason);
  const onTime = (): void => {
    isOver = true;
    controller.abort(new DOMException('The run reached its time limit.', 'TimeoutError'));
  };
  const timer = setTimeout(onTime, Math.min(ms, maxTimerMs));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return {
    signal: controller.signal,
    isOver: () => isOver,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
