import { integerKind, checkOption, recordOf } from '@haft/core/options';
import type { Guardrail } from './guardrail.ts';
import { createTaskMemory } from './guard-memory.ts';

/** Default number of calls per task for tools that explore. */
export const defaultFanOutCaps: Readonly<Record<string, number>> = { ls: 20, grep: 30, glob: 20, agent_spawn: 8 };

const capsKind = recordOf(integerKind({ min: 0 }), 'an object such as { grep: 30 }');

/**
 * Limits the calls of each tool per task. Answers from a memo do not count.
 *
 * @param caps limits by tool name; default {@link defaultFanOutCaps}.
 * @throws HaftError `INVALID_OPTION` if a limit is not an integer of at least 0.
 */
export function limitFanOut(caps: Readonly<Record<string, number>> = defaultFanOutCaps, name = 'fan-out'): Guardrail {
  checkOption('limitFanOut', 'caps', caps, capsKind);
  const memory = createTaskMemory(() => new Map<string, number>());
  return {
    name,
    kind: 'budget',
    before({ call, taskId }) {
      const cap = Object.hasOwn(caps, call.name) ? caps[call.name] : undefined;
      if (cap === undefined) return undefined;
      const counts = memory.of(taskId);
      const count = counts.get(call.name) ?? 0;
      counts.set(call.name, count + 1);
      if (count < cap) return undefined;
      return {
        reject: `${call.name} was called ${cap} times in this task, which is the limit`,
        hint: 'Nothing was done. Continue with what you have found, or use another tool.',
        code: 'LIMIT_REACHED',
      };
    },
    forgetTask: (taskId) => memory.forget(taskId),
  };
}
