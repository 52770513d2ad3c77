import { renderForModel, type ToolResult } from '@haft/core';
import { numberKind, stringKind, checkOptions, type OptionTable } from '@haft/core/options';
import type { Guardrail } from './guardrail.ts';
import { createTaskMemory } from './guard-memory.ts';

/** Thresholds of {@link stopDoomLoops}. */
export interface DoomLoopOptions {
  /** Identical rounds before the model is advised; default 3. */
  readonly adviseAfter?: number;
  /** Identical rounds before the next call of the loop is rejected; default 5. */
  readonly blockAfter?: number;
  /** Maximum length of a loop in calls: 1 for equal calls, 2 for two alternating calls; default 4. */
  readonly maxRoundLength?: number;
  readonly name?: string;
}

interface Step {
  readonly signature: string;
  readonly answer: string;
}

const count = numberKind({ min: 1 });
const table: OptionTable<DoomLoopOptions> = {
  adviseAfter: count,
  blockAfter: count,
  maxRoundLength: count,
  name: stringKind,
};

/**
 * Detects a model that repeats the same call, or the same few calls in turn, with the same answers. Advises the model
 * first, then rejects the call. A call whose answer changes, such as polling, is not a loop.
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

/** Counts how often the last `length` steps repeat at the end. */
function roundsOf(steps: readonly Step[], length: number): number {
  if (steps.length < length) return 0;
  const last = steps.slice(-length);
  // A loop of equal calls has length 1.
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

/** Start, end and length suffice to detect a changed answer. */
function digest(result: ToolResult): string {
  const text = renderForModel(result);
  return text.length <= 2_000 ? text : `${text.length}:${text.slice(0, 1_000)}${text.slice(-1_000)}`;
}

function describeRound(length: number): string {
  return length === 1 ? 'the same call' : `the same ${length} calls in turn`;
}
