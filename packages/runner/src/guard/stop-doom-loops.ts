import { renderForModel, type ToolResult } from '@haft/core';
import { aNumber, aString, checkOptions, type OptionTable } from '@haft/core/options';
import type { Guardrail } from './guardrail.ts';
import { createTaskMemory } from './task-memory.ts';

/** When going round in circles is one. */
export interface DoomLoopOptions {
  /** Rounds with the same calls and the same answers after which the model is advised; default 3. */
  readonly adviseAfter?: number;
  /** Rounds after which the next call of the circle is not run; default 5. */
  readonly blockAfter?: number;
  /** The longest circle that is looked for, in calls: 1 for equal calls, 2 for two that alternate; default 4. */
  readonly maxRoundLength?: number;
  readonly name?: string;
}

interface Step {
  readonly signature: string;
  readonly answer: string;
}

const count = aNumber({ min: 1 });
const table: OptionTable<DoomLoopOptions> = {
  adviseAfter: count,
  blockAfter: count,
  maxRoundLength: count,
  name: aString,
};

/**
 * Notices a model that makes the same call again and again, or the same few in turn, and gets the same answers: it is
 * advised, then stopped. Whose fault the answers are doesn't matter. A call whose answer changes, such as one that asks
 * how far something has come, is no circle.
 */
export function stopDoomLoops(options: DoomLoopOptions = {}): Guardrail {
  checkOptions('stopDoomLoops', options, table, '{ blockAfter: 5 }');
  const { adviseAfter = 3, blockAfter = 5, maxRoundLength = 4, name = 'doom-loop' } = options;
  const remembered = maxRoundLength * (blockAfter + 1);
  const memory = createTaskMemory((): Step[] => []);
  return {
    name,
    kind: 'repetition',
    before({ call, taskId, signature }) {
      const steps = memory.of(taskId);
      for (let length = 1; length <= maxRoundLength; length += 1) {
        if (roundsOf(steps, length) < blockAfter || steps.at(-length)?.signature !== signature) continue;
        return {
          reject: `${describeRound(length)} came ${blockAfter} times with the same answers`,
          hint: `Nothing was done. ${call.name} will not answer differently: change the approach, or say what is missing.`,
          code: 'REPEATED_CALL',
        };
      }
      return undefined;
    },
    after({ taskId, signature }, result) {
      const steps = memory.of(taskId);
      if (signature === undefined) return void (steps.length = 0);
      steps.push({ signature, answer: digest(result) });
      if (steps.length > remembered) steps.splice(0, steps.length - remembered);
      for (let length = 1; length <= maxRoundLength; length += 1) {
        const rounds = roundsOf(steps, length);
        if (rounds >= adviseAfter)
          return { advise: `${describeRound(length)} came ${rounds} times with the same answers. Do something else.` };
      }
      return undefined;
    },
    forgetTask: (taskId) => memory.forget(taskId),
  };
}

/** How often the last `length` steps stand at the end, one after the other. */
function roundsOf(steps: readonly Step[], length: number): number {
  if (steps.length < length) return 0;
  const last = steps.slice(-length);
  // A circle of equal calls is one of length 1, not of every length.
  if (length > 1 && last.every((step) => isSame(step, last[0]!))) return 0;
  let rounds = 1;
  for (let end = steps.length - length; end >= length; end -= length) {
    const isRound = last.every((step, at) => isSame(step, steps[end - length + at]!));
    if (!isRound) break;
    rounds += 1;
  }
  return rounds;
}

function isSame(one: Step, other: Step): boolean {
  return one.signature === other.signature && one.answer === other.answer;
}

/** Beginning, end and length: enough to see that an answer moved on, and little to keep. */
function digest(result: ToolResult): string {
  const text = renderForModel(result);
  return text.length <= 2_000 ? text : `${text.length}:${text.slice(0, 1_000)}${text.slice(-1_000)}`;
}

function describeRound(length: number): string {
  return length === 1 ? 'the same call' : `the same ${length} calls in turn`;
}
