import type { Lease } from '../contracts/call-queue.ts';
import type { CallContext, ToolCall } from '../contracts/source.ts';
import type { ToolResult } from '../contracts/result.ts';
import { describeCause } from '../describe-cause.ts';
import { around } from './around.ts';
import { authorize } from './authorize.ts';
import { CallRun } from './call-run.ts';
import { check } from './check.ts';
import { decode } from './decode.ts';
import type { DispatcherParts } from './dispatcher.ts';
import { execute } from './execute.ts';
import { footprintOf } from './footprint.ts';
import { prepare } from './prepare.ts';
import { waitBounded } from './race-cancellation.ts';
import { reject, Rejection } from './rejection.ts';
import { resolve } from './resolve.ts';
import { refuse, settle } from './settle.ts';
import { validate } from './validate.ts';

/**
 * Takes one call down the whole road. Never throws: whatever goes wrong on the way, also in Haft itself, is the
 * call's one result. With a lease, the call waits for its turn once it is known what it touches.
 */
export async function dispatchCall(
  call: ToolCall,
  context: CallContext,
  parts: DispatcherParts,
  lease?: Lease,
): Promise<ToolResult> {
  const run = new CallRun(nameable(call), context, parts);
  run.emit('execute_start');
  let result: ToolResult;
  try {
    const outcome = await walk(run, lease);
    result = outcome instanceof Rejection ? refuse(run, outcome.error) : outcome;
  } catch (cause) {
    const message = describeCause(cause);
    result = refuse(run, reject('EXECUTION_ERROR', `dispatching ${call.name}: ${message}`, { cause }).error);
  }
  run.open = false;
  run.emit(!result.ok && result.error.fault === 'cancelled' ? 'execute_cancelled' : 'execute_end', { result });
  return result;
}

/** The same for a call that shares an order with calls of other batches. */
export async function dispatchInOrder(
  call: ToolCall,
  context: CallContext,
  parts: DispatcherParts,
): Promise<ToolResult> {
  const lease = context.queue?.enter();
  try {
    return await dispatchCall(call, context, parts, lease);
  } finally {
    lease?.release();
  }
}

/** The road itself. A step returns a value or a promise; only promises are awaited. */
async function walk(run: CallRun, lease: Lease | undefined): Promise<ToolResult | Rejection> {
  if (run.isAborted) return aborted();

  const resolving = resolve(run);
  const tool = resolving instanceof Promise ? await resolving : resolving;
  if (tool instanceof Rejection) return tool;

  const decoded = decode(run, tool);
  if (decoded) return decoded;

  const validating = validate(run, tool);
  const invalid =
    validating instanceof Promise
      ? await waitBounded(run, { timeoutMs: tool.timeoutMs }, validating, `validating the arguments of ${tool.name}`)
      : validating;
  if (invalid) return invalid;

  if (lease) {
    await lease.acquire(footprintOf(tool, run.args, run.parts.workspace.cwd), run.circumstances.signal);
    if (run.isAborted) return aborted();
  }

  if (run.parts.middleware.length > 0) {
    const rejected = await prepare(run, tool);
    if (rejected) return rejected;
    if (lease) await lease.acquire(footprintOf(tool, run.args, run.parts.workspace.cwd), run.circumstances.signal);
    if (run.isAborted) return aborted();
  }

  if (tool.check) {
    const issues = await check(run, tool);
    if (issues) return issues;
  }

  const asking = authorize(run, tool);
  const denied = asking instanceof Promise ? await asking : asking;
  if (denied) return denied;
  if (run.isAborted) return aborted();

  const running = run.parts.middleware.length > 0 ? around(run, tool, () => execute(run, tool)) : execute(run, tool);
  return settle(run, tool, running instanceof Promise ? await running : running);
}

/** A call that names nothing still gets its answer. */
function nameable(call: ToolCall): ToolCall {
  if (typeof call?.name === 'string' && typeof call.id === 'string') return call;
  const { id, name }: { readonly id?: unknown; readonly name?: unknown } = call ?? {};
  return {
    ...call,
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    arguments: call?.arguments,
  };
}

function aborted(): Rejection {
  return reject('ABORTED', 'the call was cancelled before it ran');
}
