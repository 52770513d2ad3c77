import type { AnyTool, Availability } from '../contracts/tools/tool.ts';
import { describeCause } from '../describe-cause.ts';
import { isThenable } from '../is-thenable.ts';

/** Milliseconds an availability check may take before it counts as a no. */
const checkTimeoutMs = 5_000;

/**
 * Asks tools whether they can be used now, and remembers the answer for a while.
 * A throw means unavailable with its reason; a check that doesn't answer in five seconds means the same.
 */
export interface AvailabilityChecker {
  /** Synchronous where the tool answers at once or the answer is remembered. */
  check(tool: AnyTool): Availability | Promise<Availability>;
}

/** @param ttlMs how long an answer holds where the tool itself doesn't say; 0 asks anew every time. */
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
    const reason = (answer as { readonly reason?: unknown } | null | undefined)?.reason;
    if (typeof reason === 'string' && reason !== '') return { reason };
  } catch (error) {
    return reasonOf(error);
  }
  return { reason: 'the tool says that it is not available' };
}

function reasonOf(error: unknown): Availability {
  return { reason: describeCause(error) };
}

function withTimeout<Value>(promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('its availability check took more than 5 s')), checkTimeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
