import type { Lease } from '../contracts/call-queue.ts';
import type { ToolResult } from '../contracts/result.ts';
import { describeCause } from '../describe-cause.ts';
import { failure } from '../results/tool-result.ts';
import { tellListener } from '../tell-listener.ts';
import { authorize } from './authorize.ts';
import { awaitTurn } from './await-turn.ts';
import { begin } from './begin.ts';
import { CallRun } from './call-run.ts';
import { check } from './check.ts';
import type { Circumstances } from './circumstances.ts';
import { decode } from './decode.ts';
import type { DispatcherParts } from './dispatcher.ts';
import { execute } from './execute.ts';
import { prepare } from './prepare.ts';
import { readCall } from './read-call.ts';
import { reject } from './rejection.ts';
import { resolve } from './resolve.ts';
import { settle, stamp } from './settle.ts';
import { later, type Step, type StepOutcome } from './step.ts';
import { validate } from './validate.ts';

/**
 * The road of every call. In a batch or a queue, a call waits for its turn once it is known what it touches. Each step is
 * called where it is named, and not out of a list, so that the engine can see through the ones that have nothing to do.
 */
function takeStep(run: CallRun): ReturnType<Step> {
  switch (run.at) {
    case 0:
      return begin(run);
    case 1:
      return resolve(run);
    case 2:
      return decode(run);
    case 3:
      return validate(run);
    case 4:
      return awaitTurn(run);
    case 5:
      return prepare(run);
    case 6:
      return check(run);
    case 7:
      return authorize(run);
    case 8:
      return execute(run, resume);
    default:
      return settle(run);
  }
}
const lastStep = 9;

/**
 * Takes one call down the whole road. Never throws: whatever goes wrong on the way, also in Haft itself, is the
 * call's one result. A lease that is given is not released.
 */
export function dispatchCall(
  call: unknown,
  circumstances: Circumstances,
  parts: DispatcherParts,
  lease?: Lease,
): Promise<ToolResult> {
  return new Promise((answer) => {
    const run = new CallRun(readCall(call), circumstances, parts, lease, answer);
    run.emit('execute_start', run.startedAt);
    walk(run);
  });
}

/** Answers a call of a batch that is not to be run, after one before it was denied. */
export function skipCall(
  call: unknown,
  circumstances: Circumstances,
  parts: DispatcherParts,
  lease?: Lease,
): Promise<ToolResult> {
  return new Promise((answer) => {
    const run = new CallRun(readCall(call), circumstances, parts, lease, answer);
    run.emit('execute_start', run.startedAt);
    end(run, reject('SKIPPED', `${run.call.name} was not run, since a call before it was denied`));
  });
}

/** Goes from the step the call is at as far as nothing has to be waited for. */
function walk(run: CallRun): void {
  try {
    for (; run.at <= lastStep; run.at += 1) {
      const outcome = takeStep(run);
      if (outcome === undefined) continue;
      if (outcome === later) return;
      if (!(outcome instanceof Promise)) return end(run, outcome);
      outcome.then(
        (settled) => resume(run, settled),
        (cause: unknown) => fail(run, cause),
      );
      return;
    }
    end(run, undefined);
  } catch (cause) {
    fail(run, cause);
  }
}

function resume(run: CallRun, outcome: StepOutcome): void {
  run.hasWaited = true;
  if (outcome !== undefined) return end(run, outcome);
  run.at += 1;
  walk(run);
}

function fail(run: CallRun, cause: unknown): void {
  end(run, reject('EXECUTION_ERROR', `dispatching ${run.call.name}: ${describeCause(cause)}`, { cause }));
}

/** Gives the one result, tells of it once, and lets nothing of the call be heard afterwards. */
function end(run: CallRun, outcome: StepOutcome): void {
  if (!run.isOpen) return;
  const endedAt = run.parts.now();
  const result = stamp(run, outcome === undefined ? run.result! : failure(run.call.id, outcome.error), endedAt);
  run.isOpen = false;
  const { tool } = run;
  if (!result.ok && run.isAllowed && tool) tellListener((failed) => tool.onFailure?.(failed, run.shownArgs), result);
  const isCancelled = !result.ok && result.error.fault === 'cancelled';
  run.emit(isCancelled ? 'execute_cancelled' : 'execute_end', endedAt, { result });
  run.answer(result);
  run.place?.release();
}
