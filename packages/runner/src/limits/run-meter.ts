import type { ToolError, Usage } from '@haft/core';
import { toolError } from '@haft/core';
import type { LimitKind, RunLimits } from './run-limits.ts';

/** Keeps count of what a run has used, and tells when that is enough. */
export interface RunMeter {
  /** Aborts with the run's own signal, and once the time for working is over. */
  readonly signal: AbortSignal | undefined;
  /** The limit that was reached first; once one is, it stays. */
  readonly reached: LimitKind | undefined;
  /** Calls that may still be run. */
  readonly callsLeft: number;
  /** Milliseconds that a request may take by the run's time: for work, or, after it, for the last answer. */
  readonly msLeft: number;
  countCalls(count: number): void;
  /** Looks whether a limit is reached at the end of a turn. */
  check(turn: number, usage: Usage): LimitKind | undefined;
  /** Lets go of the clock. */
  end(): void;
}

/** What {@link createRunMeter} counts against. */
export interface MeterOptions {
  readonly turns: number;
  readonly limits: RunLimits;
  readonly signal: AbortSignal | undefined;
}

/** Longest time that a timer of the platform can be set to. */
const maxTimerMs = 2_000_000_000;

/** Starts to count. The clock runs from now on. */
export function createRunMeter({ turns, limits, signal }: MeterOptions): RunMeter {
  const { toolCalls = Infinity, tokens = Infinity, costUsd = Infinity, wallTimeMs } = limits;
  const startedAt = Date.now();
  const clock = wallTimeMs === undefined ? undefined : startClock(wallTimeMs, signal);
  let reached: LimitKind | undefined;
  let calls = 0;
  return {
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

/** What a run that ends at a limit without an answer has to say. */
export function limitError(reached: LimitKind, turns: number): ToolError {
  const words: Readonly<Record<LimitKind, string>> = {
    turns: `the run made ${turns} requests without coming to an answer`,
    'tool-calls': 'the run made as many tool calls as it may',
    tokens: 'the run used as many tokens as it may',
    'wall-time': 'the time of the run is over',
    cost: 'the run cost as much as it may',
  };
  return toolError('LIMIT_REACHED', words[reached], { details: { limit: reached } });
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
    controller.abort(new DOMException('The time of the run is over.', 'TimeoutError'));
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
