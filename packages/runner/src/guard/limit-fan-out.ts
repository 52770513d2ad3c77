import { anInteger, checkOption, recordOf } from '@haft/core/options';
import type { Guardrail } from './guardrail.ts';
import { createTaskMemory } from './task-memory.ts';

/** How often tools that look around are called before a model has lost its way. */
export const defaultFanOutCaps: Readonly<Record<string, number>> = { ls: 20, grep: 30, glob: 20, agent_spawn: 8 };

const capsKind = recordOf(anInteger({ min: 0 }), 'an object such as { grep: 30 }');

/**
 * Allows each tool so many calls a task. Answers from a memo are not counted.
 *
 * @param caps by name of the tool; default {@link usualFanOut}.
 * @throws HaftError `INVALID_OPTION` for a cap that is no whole number, 0 or above.
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
        reject: `${call.name} was called ${cap} times in this task, which is as often as it may be`,
        hint: 'Nothing was done. Go on with what you have found, or use another tool.',
        code: 'LIMIT_REACHED',
      };
    },
    forgetTask: (taskId) => memory.forget(taskId),
  };
}
