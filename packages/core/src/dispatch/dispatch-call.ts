import type { Lease } from '../contracts/calls/call-queue.ts';
import type { CallContext } from '../contracts/calls/call.ts';
import type { ToolError } from '../contracts/results/error.ts';
import type { ToolFailure, ToolResult } from '../contracts/results/result.ts';
import { describeCause } from '../describe-cause.ts';
import { emitEvent } from '../events/call-events.ts';
import { notifyListener } from '../notify-listener.ts';
import { readToolError } from '../results/read-error.ts';
import { failure } from '../results/tool-result.ts';
import { CallRun } from './call/call-run.ts';
import { endEarly, EarlyEnd, endIfAborted, waitBounded, type Step } from './call/early-end.ts';
import { readCall, type CallOptions } from './call/read-call.ts';
import { alone, footprintOf } from './lease/call-footprint.ts';
import type { DispatcherConfig } from './options/dispatcher-config.ts';
import { authorize } from './steps/authorize.ts';
import { check } from './steps/check.ts';
import { decode } from './steps/decode.ts';
import { execute } from './steps/execute.ts';
import { around, prepare } from './steps/run-middleware.ts';
import { resolve } from './steps/resolve.ts';
import { settle } from './steps/settle.ts';
import { validate } from './steps/validate.ts';
import { warnOfHostFault } from './warn-of-host-fault.ts';

/**
 * Runs one call. Each step returns nothing to continue, an early end with the error of the result, or a promise of
 * either. Only promises are awaited. Never rejects: an unexpected error, even one in Haft itself, becomes the result. A
 * caller that passes a lease must release it.
 */
export async function dispatchCall(
  call: unknown,
  options: CallOptions,
  config: DispatcherConfig,
  lease?: Lease,
): Promise<ToolResult> {
  const run = start(call, options, config, lease);
  let step: Step;
  try {
    step = accept(run) ?? resolve(run);
    if (step instanceof Promise) step = await pause(run, step);
    step ??= decode(run);
    if (step instanceof Promise) step = await pause(run, step);
    step ??= validate(run);
    if (step instanceof Promise) step = await pause(run, step);
    if (run.lease) step ??= acquire(run, run.lease);
    if (step instanceof Promise) step = await pause(run, step);
    if (config.preparing.length > 0) step ??= prepare(run, acquire);
    if (step instanceof Promise) step = await pause(run, step);
    if (run.tool?.check) step ??= check(run);
    if (step instanceof Promise) step = await pause(run, step);
    step ??= authorize(run);
    if (step instanceof Promise) step = await pause(run, step);
    if (run.options.onStart) step ??= announce(run, run.options.onStart);
    if (step instanceof Promise) step = await pause(run, step);
    step ??= config.wrapping.length > 0 ? around(run, execute) : execute(run);
    if (step instanceof Promise) step = await pause(run, step);
    step ??= settle(run);
    if (step instanceof Promise) step = await pause(run, step);
  } catch (cause) {
    step = endEarly('EXECUTION_ERROR', `dispatching ${run.call.name}: ${describeCause(cause)}`, { cause });
  }
  return finish(run, step, lease);
}

/** Returns the result of a batch call that does not run because an earlier call was denied. */
export async function skipCall(
  call: unknown,
  options: CallOptions,
  config: DispatcherConfig,
  lease?: Lease,
): Promise<ToolResult> {
  const run = start(call, options, config, lease);
  return finish(run, endEarly('SKIPPED', `${run.call.name} did not run, because an earlier call was denied`), lease);
}

function start(call: unknown, options: CallOptions, config: DispatcherConfig, lease: Lease | undefined): CallRun {
  const run = new CallRun(readCall(call), options, config, lease);
  if (config.observer) emitEvent(config.observer, run, 'execute_start', run.startedAt);
  return run;
}

/** Rejects a call that is invalid, has invalid options or was cancelled before it arrived. */
function accept(run: CallRun): EarlyEnd | undefined {
  const { call, options } = run;
  const problem = options.problem ?? call.problem;
  if (problem !== undefined)
    return endEarly('EXECUTION_ERROR', `the call${call.name === '' ? '' : ` of ${call.name}`} can't run: ${problem}`);
  if (options.queue) run.lease ??= options.queue.enter();
  return options.signal ? endIfAborted(run) : undefined;
}

/** In a batch or a queue, waits until no running or earlier call conflicts with this call. */
function acquire(run: CallRun, lease: Lease): Step {
  const footprint = run.tool!.runsAlone === true ? alone : footprintOf(run);
  const waiting = lease.acquire(footprint, run.options.signal);
  return waiting ? waiting.then(() => endIfAborted(run)) : undefined;
}

/** Tells the caller that the body is about to run. Waits for the answer, which may prevent it. */
async function announce(run: CallRun, onStart: NonNullable<CallContext['onStart']>): Promise<EarlyEnd | undefined> {
  const answer = onStart({ tool: run.tool!, arguments: run.args });
  const received = await waitBounded(run, { timeoutMs: run.config.middlewareTimeoutMs }, answer, 'onStart');
  if (received instanceof EarlyEnd) return received;
  const error = received.value as ToolError | null | undefined;
  if (error !== undefined && error !== null) return new EarlyEnd(readToolError(error));
  return endIfAborted(run);
}

/** Records that time passes while a step is awaited. */
function pause(run: CallRun, step: Promise<EarlyEnd | undefined>): Promise<EarlyEnd | undefined> {
  run.hasWaited = true;
  return step;
}

/** Completes the result, emits it once, and drops all later events of the call. */
function finish(run: CallRun, ended: EarlyEnd | undefined, given: Lease | undefined): ToolResult {
  const { config, lease } = run;
  const endedAt = config.now();
  const result = run.complete(ended === undefined ? run.result! : failure(run.call.id, ended.error), endedAt);
  run.isOpen = false;
  if (!result.ok) {
    if (run.isAllowed) notifyTool(run, result);
    notifyListener((error) => warnOfHostFault(run, error), result.error);
  }
  if (config.observer) {
    const isCancelled = !result.ok && result.error.fault === 'cancelled';
    const action = isCancelled ? 'execute_cancelled' : 'execute_end';
    emitEvent(config.observer, run, action, endedAt, undefined, result);
  }
  if (lease !== given) notifyListener((own) => own?.release(), lease);
  return result;
}

function notifyTool(run: CallRun, result: ToolFailure): void {
  notifyListener((failed) => run.tool?.onFailure?.(failed, run.args), result);
}
