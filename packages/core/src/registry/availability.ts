import type { AnyTool, Availability } from '../contracts/tools/tool.ts';
import { describeCause } from '../describe-cause.ts';
import { isThenable } from '../is-thenable.ts';
import { showValue } from '../options/show-option-value.ts';
import { maskThrownText } from '../results/mask-thrown-text.ts';

/** Timeout of an availability check in milliseconds. A check that times out counts as unavailable. */
const checkTimeoutMs = 5_000;

/**
 * Checks whether tools are available, and caches the answers. A check that throws or takes longer than five seconds
 * means that the tool is unavailable.
 */
export interface AvailabilityChecker {
  /** Synchronous if the tool answers synchronously or the answer is cached. */
  check(tool: AnyTool): Availability | Promise<Availability>;
}

/** @param ttlMs how long an answer is cached if the tool does not specify it; 0 disables the cache. */
export function createAvailabilityChecker(ttlMs: number, now: () => number): AvailabilityChecker {
  const remembered = new WeakMap<AnyTool, { readonly answer: Availability; readonly at: number }>();
  const ttlOf = (tool: AnyTool): number => tool.availabilityTtlMs ?? ttlMs;
  const remember = (tool: AnyTool, answer: Availability): Availability => {
    if (ttlOf(tool) > 0) remembered.set(tool, { answer, at: now() });
    return answer;
  };
  return {
    check(tool) {
      if (!tool.available) return true;
      const known = remembered.get(tool);
      if (known && now() - known.at < ttlOf(tool)) return known.answer;
      try {
        const answer: unknown = tool.available();
        if (!isThenable(answer)) return remember(tool, normalise(answer));
        return withTimeout(new Promise((take) => take(answer))).then(
          (value) => remember(tool, normalise(value)),
          (error: unknown) => remember(tool, reasonOf(error)),
        );
      } catch (error) {
        return remember(tool, reasonOf(error));
      }
    },
  };
}

function normalise(answer: unknown): Availability {
  if (answer === true) return true;
  try {
    const { reason, retryable } = (answer ?? {}) as { readonly reason?: unknown; readonly retryable?: unknown };
    if (isText(reason)) return retryable === false ? { reason, retryable } : { reason };
    if (isText(answer)) return { reason: answer };
    if (answer === false || reason === '') return { reason: 'the tool says that it is not available' };
    return { reason: `its availability check gave no answer (expected true or { reason }, got ${showValue(answer)})` };
  } catch (error) {
    return reasonOf(error);
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Models read the reason, so internals in the text of an error are masked. */
function reasonOf(error: unknown): Availability {
  return { reason: maskThrownText(describeCause(error)) || 'its availability check failed' };
}

function withTimeout<Value>(promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('its availability check took more than 5 s')), checkTimeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
