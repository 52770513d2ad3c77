import type { ToolResult } from '@haft/core';
import { numberKind, stringKind, checkOptions, type OptionTable } from '@haft/core/options';
import type { GuardedCall, Guardrail } from './guardrail.ts';
import { createTaskMemory } from './guard-memory.ts';

/** Thresholds of {@link stopRepeatedFailures}. */
export interface RepeatedFailureOptions {
  /** Failures of the same call before the model is advised; default 3. */
  readonly adviseAfter?: number;
  /** Failures of the same call before it is rejected; default 4. */
  readonly blockAfter?: number;
  /** Consecutive failures of a tool, with any arguments, before the model is advised; default 4. */
  readonly adviseToolAfter?: number;
  /** Consecutive failures of a tool before it is rejected; default 8. */
  readonly blockToolAfter?: number;
  readonly name?: string;
}

interface Failures {
  readonly ofCall: Map<string, number>;
  readonly ofTool: Map<string, number>;
}

const times = numberKind({ min: 1 });
const table: OptionTable<RepeatedFailureOptions> = {
  adviseAfter: times,
  blockAfter: times,
  adviseToolAfter: times,
  blockToolAfter: times,
  name: stringKind,
};

/**
 * Accepts the first failures of a call, then advises the model, then rejects the call. Counts only failures caused by
 * the model or by policy, because others may be temporary. A success resets the call; a change resets all calls.
 */
export function stopRepeatedFailures(options: RepeatedFailureOptions = {}): Guardrail {
  checkOptions('stopRepeatedFailures', options, table, '{ blockAfter: 4 }');
  const {
    adviseAfter = 3,
    blockAfter = 4,
    adviseToolAfter = 4,
    blockToolAfter = 8,
    name = 'repeated-failure',
  } = options;
  const memory = createTaskMemory((): Failures => ({ ofCall: new Map(), ofTool: new Map() }));
  return {
    name,
    kind: 'repetition',
    before({ call, taskId, signature }) {
      const { ofCall, ofTool } = memory.of(taskId);
      if (signature !== undefined && (ofCall.get(signature) ?? 0) >= blockAfter)
        return block(`this call of ${call.name} has failed ${blockAfter} times`);
      if ((ofTool.get(call.name) ?? 0) >= blockToolAfter)
        return block(`${call.name} has failed ${blockToolAfter} times in a row`);
      return undefined;
    },
    after(call, result) {
      const failures = memory.of(call.taskId);
      if (result.ok) {
        forgive(failures, call, result);
        return undefined;
      }
      if (result.error.fault !== 'model' && result.error.fault !== 'policy') return undefined;
      const ofCall = call.signature === undefined ? 0 : count(failures.ofCall, call.signature);
      const ofTool = count(failures.ofTool, call.call.name);
      if (ofCall >= adviseAfter)
        return { advise: `this call failed ${ofCall} times in the same way. ${advice(result.error.code)}` };
      if (ofTool === adviseToolAfter)
        return { advise: `${call.call.name} failed ${ofTool} times in a row. Take a smaller step, or another tool.` };
      return undefined;
    },
    forgetTask: (taskId) => memory.forget(taskId),
  };
}

function count(counts: Map<string, number>, key: string): number {
  const next = (counts.get(key) ?? 0) + 1;
  counts.set(key, next);
  return next;
}

function forgive({ ofCall, ofTool }: Failures, { call, signature }: GuardedCall, result: ToolResult): void {
  ofTool.delete(call.name);
  if (result.effects.some((effect) => effect.kind !== 'file' || effect.op !== 'read')) ofCall.clear();
  else if (signature !== undefined) ofCall.delete(signature);
}

function block(reject: string): { readonly reject: string; readonly hint: string; readonly code: 'REPEATED_CALL' } {
  const hint = 'Nothing was done. Look at the current state first, then change the arguments or the approach.';
  return { reject, hint, code: 'REPEATED_CALL' };
}

function advice(code: string): string {
  switch (code) {
    case 'NOT_READ':
    case 'CHANGED_ON_DISK':
    case 'TEXT_NOT_FOUND':
    case 'TEXT_MULTIPLE_MATCHES':
      return 'Read the file again before you continue, and copy the text from there.';
    case 'INVALID_ARGS':
    case 'INVALID_JSON':
      return 'Read the issues, then send corrected arguments.';
    case 'PERMISSION_DENIED':
      return 'It will not be allowed; continue without it.';
    default:
      return 'Do not repeat it: split the task, or use another tool.';
  }
}
