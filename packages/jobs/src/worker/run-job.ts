import {
  failure,
  redactText,
  toolError,
  type CallContext,
  type ToolError,
  type ToolResult,
  type ToolSource,
} from '@haft/core';
import type { CallStart } from '@haft/core/dispatch';
import { describeCause } from '@haft/core/results';

import { keepTrying, type Patience } from '../engine/keep-trying.ts';
import { admit, footprintSpace, type LimitSpace } from '../holds/admit.ts';
import { isSameFootprint } from '../holds/footprints.ts';
import { mayHaveRun, type IfLost } from '../ledger/job-row.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { cancelled, serializeResult, unknownOutcome } from '../states/state-results.ts';
import { handBack, type Ending, type Start } from '../states/job-transitions.ts';
import type { Writers } from '../states/state-writers.ts';
import { currentJob } from './current-job.ts';
import type { HeldJob } from './held-job.ts';
import { recoverCall } from './recover-call.ts';
import { schemaHashOf } from './schema-hash.ts';
import { parseCall, parseContext } from './stored-call.ts';
import { footprintOf, ifLostOf, readFootprint } from './tool-needs.ts';

/** Dependencies of running a job. */
export interface RunDeps {
  readonly ledger: Ledger;
  readonly writers: Writers;
  readonly patience: Patience;
  readonly dispatcher: ToolSource;
  readonly leaseMs: number;
  readonly cwd: string;
  readonly limitsOf: (tool: string) => readonly LimitSpace[];
}

/** Milliseconds after which the start of a running body is announced. The end of a shorter one follows at once. */
const announceMs = 25;

/** The longest delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;

type Outcome = Pick<Ending, 'state' | 'note'> & { readonly result: ToolResult };

/** Runs a held job and records its end. Rejects only if the ledger can't be written. */
export async function runJob(deps: RunDeps, held: HeldJob): Promise<void> {
  const { id, attempt, callId, tool } = { callId: '', ...held.job };
  const outcome = await decideOutcome(deps, held).catch((cause: unknown): Outcome => {
    const error = toolError('EXECUTION_ERROR', `running the job ${id} failed: ${describeCause(cause)}`, { cause });
    return outcomeOf({ ...failure(callId, error), name: tool });
  });
  if (outcome === undefined || held.isReleased) return;
  // A result that arrives too late is stored as an event of the job, if the body ran.
  if (held.isLost && !held.hasStarted) return;
  const ending = { id, attempt, state: outcome.state, note: outcome.note, result: await textOf(outcome.result) };
  await deps.writers.finish(ending);
}

/** Returns undefined if the job waits, was lost or was handed back. */
async function decideOutcome(deps: RunDeps, held: HeldJob): Promise<Outcome | undefined> {
  const { job, controller } = held;
  const { signal } = controller;
  const call = parseCall(job.call);
  const tool = deps.dispatcher.snapshot().get(job.tool);
  const key = job.key ?? job.id;
  const named = { tool: job.tool, callId: call.id, attempt: job.attempt };
  // The tool was removed after the job was taken.
  if (tool === undefined) {
    // If the database can't be reached, the lease ends by itself.
    if (await handBack(deps.ledger, job).catch(() => false)) held.release('the tool is missing');
    return undefined;
  }
  const unknown = (reason: string): Outcome => ({
    state: 'unknown',
    note: reason,
    result: unknownOutcome(named, reason),
  });
  const footprint = footprintOf(tool, call, deps.cwd);
  if (!(await acquire(deps, held, footprint))) return undefined;
  if (job.isRecovering) {
    const timeoutMs = Math.min(job.timeoutMs ?? tool.timeoutMs, maxTimerMs);
    const recovered = await recoverCall(tool, call, key, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    if (recovered.as === 'done') return { state: 'done', note: 'recovered', result: recovered.result };
    if (recovered.as === 'unknown') return unknown(recovered.reason);
    if (job.cancelReason !== null)
      return { state: 'cancelled', note: job.cancelReason, result: cancelled(named, job.cancelReason) };
  }
  let announcing: NodeJS.Timeout | undefined;
  const begin = async (info: CallStart): Promise<ToolError | undefined> => {
    // Middleware may have rewritten the arguments.
    const final = readFootprint(info.tool, info.arguments, deps.cwd);
    if (!isSameFootprint(footprint, final) && !(await acquire(deps, held, final))) return waits();
    const ifLost = ifLostOf(info.tool);
    held.isRepeatable = ifLost === 'read-only' || ifLost === 'retry';
    const start = await recordStart(deps, held, ifLost);
    if (start === 'cancelled') return toolError('ABORTED', `${job.tool} was cancelled before it ran`);
    if (start === 'lost') held.lose();
    if (held.isLost || held.isReleased) return waits();
    held.hasStarted = true;
    announcing = setTimeout(() => void deps.writers.announce(job.id).catch(() => undefined), announceMs);
    return undefined;
  };
  let beginning: Promise<unknown> | undefined;
  const onStart = (info: CallStart): Promise<ToolError | undefined> => {
    const answer = begin(info);
    beginning = answer.catch(() => undefined);
    return answer;
  };
  const progress: Promise<unknown>[] = [];
  const context: CallContext = {
    ...parseContext(job.context),
    ...(job.timeoutMs === null ? {} : { timeoutMs: job.timeoutMs }),
    idempotencyKey: key,
    signal,
    onStart,
    onProgress: (update) => {
      const data = JSON.stringify(update);
      progress.push(deps.writers.progress({ id: job.id, attempt: job.attempt, data }).catch(() => undefined));
    },
  };
  const result = await currentJob.run(held, () => deps.dispatcher.dispatch(call, context));
  // A cancelled call does not wait for the answer of onStart.
  await beginning;
  clearTimeout(announcing);
  await Promise.all(progress);
  if (held.isReleased) return undefined;
  // The tool has found out that a recovering job had no effect.
  if (!result.ok && !held.hasStarted && !job.isRecovering && mayHaveRun(job))
    return unknown(`an attempt was interrupted, and the next one did not start (${result.error.message})`);
  const isChanged = job.schemaHash !== null && job.schemaHash !== schemaHashOf(tool);
  return outcomeOf(isChanged ? withNote(result) : result);
}

/**
 * Records a start. After a pause, the answer may be from before the worker lost the job, so a late answer is not trusted:
 * the start is recorded again, which succeeds only if the worker still holds the job.
 */
async function recordStart({ writers, leaseMs }: RunDeps, held: HeldJob, ifLost: IfLost): Promise<Start> {
  const { id, attempt } = held.job;
  for (;;) {
    const sentAt = performance.now();
    const start = await writers.start({ id, attempt, ifLost }).catch(() => 'lost' as const);
    if (start === 'started') held.renewed(sentAt);
    if (start !== 'started' || !held.isOverdue(leaseMs) || held.isLost || held.isReleased) return start;
  }
}

/** Acquires the footprint and the limits of a job. Returns false if the job waits for them or is lost. */
async function acquire(
  { ledger, limitsOf, leaseMs, patience }: RunDeps,
  held: HeldJob,
  footprint: ReturnType<typeof readFootprint>,
): Promise<boolean> {
  const { id, attempt, workspace, tool } = held.job;
  // An attempt whose footprint changes counts only once towards a rate.
  const isCounted = held.spaces.length > 0;
  const limits = limitsOf(tool);
  if (footprint === undefined && limits.length === 0) return true;
  const spaces = [...(footprint === undefined ? [] : [footprintSpace(workspace)]), ...limits.map(({ space }) => space)];
  held.spaces = [...new Set([...held.spaces, ...spaces])];
  const whileHeld: Patience = {
    ...patience,
    timeoutMs: Infinity,
    isClosed: () => held.isLost || held.isReleased || patience.isClosed(),
  };
  const admission = await keepTrying(ledger.engine, whileHeld, `admitting ${tool}`, () =>
    admit(ledger, { id, attempt, workspace, footprint, limits, isCounted }),
  );
  if (admission === 'waiting') held.release('the job waits');
  if (admission === 'lost' || held.isOverdue(leaseMs)) held.lose();
  return !held.isReleased && !held.isLost;
}

/** The error for a body that must not run. The result is dropped, because the worker no longer holds the job. */
function waits(): ToolError {
  return toolError('ABORTED', 'the worker no longer holds the job');
}

/** Longest note about a failure, in UTF-16 units. */
const maxNote = 300;

function outcomeOf(result: ToolResult): Outcome {
  if (result.ok) return { state: 'done', note: null, result };
  const { fault, code, message } = result.error;
  if (fault === 'cancelled') return { state: 'cancelled', note: null, result };
  return { state: 'failed', note: noteOf(`${code}: ${message}`), result };
}

/** Returns a text as one line for lists of jobs: without secrets, and without characters that PostgreSQL refuses. */
function noteOf(text: string): string {
  const line = redactText(text).replaceAll(/[\s\0]+/g, ' ');
  return line.slice(0, maxNote).replaceAll(/\p{Cs}/gu, '\uFFFD');
}

function withNote(result: ToolResult): ToolResult {
  const note = `The definition of ${result.name} changed after the call was made; the arguments were checked again.`;
  return { ...result, advisories: [...result.advisories, note] };
}

/** Maximum length of a stored result. Longer ones exceed the memory of an embedded database. */
const maxResultLength = 32 * 1024 * 1024;

/** Returns the result as text, or a failure if JSON can't represent it or if it is too long. */
async function textOf(result: ToolResult): Promise<string> {
  try {
    const text = await serializeResult(result);
    if (text.length <= maxResultLength) return text;
    throw new RangeError(`it has ${text.length} characters (expected at most ${maxResultLength})`);
  } catch (cause) {
    const error = toolError('OUTPUT_INVALID', `the result of ${result.name} can't be stored: ${describeCause(cause)}`);
    return serializeResult({ ...failure(result.callId, error), name: result.name });
  }
}
