import type { Effect } from '../../contracts/results/effect.ts';
import type { ToolError } from '../../contracts/results/error.ts';
import type { ToolResult } from '../../contracts/results/result.ts';
import { isThenable } from '../../is-thenable.ts';
import { readToolResult } from '../../results/read-result.ts';
import { failure, isToolResult, readReturned } from '../../results/tool-result.ts';
import type { CallRun } from '../call/call-run.ts';
import { cancelAndEnd, endEarly, EarlyEnd, endThrown, raceCancellation, type Step } from '../call/early-end.ts';
import type { RetryPlan } from '../options/retry-options.ts';
import type { Deadline } from '../time/deadline-timer.ts';
import { contextOf } from './tool-context.ts';

/** Runs the body of the tool with retries, if it may be repeated, around a deadline. */
export function execute(run: CallRun): Step {
  return run.config.retries !== undefined && run.isRepeatable
    ? withRetries(run, run.config.retries)
    : withDeadline(run);
}

function runBody(run: CallRun): unknown {
  return run.tool!.execute(run.takeBodyArguments(), contextOf(run));
}

/** Runs the body and retries it while the failure is temporary and attempts and time remain. */
async function withRetries(run: CallRun, plan: RetryPlan): Promise<EarlyEnd | undefined> {
  const effects: Effect[] = [];
  run.hasWaited = true;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await withDeadline(run);
    const ended = outcome ?? readReturned(run.call.id, run.call.name, run.returned);
    const error = errorOf(ended);
    const pause = error?.retryable === true && attempt <= plan.max ? pauseBefore(run, plan, attempt, error) : undefined;
    if (pause === undefined) return keepResult(run, ended, effects, attempt);
    if (!(ended instanceof EarlyEnd)) effects.push(...ended.effects);
    run.progress({ message: `${run.call.name} failed (${error!.code}); attempt ${attempt + 1} in ${pause} ms` });
    const cancelled = await rest(run, plan, pause);
    if (cancelled) return keepResult(run, cancelled, effects, attempt);
  }
}

function errorOf(ended: ToolResult | EarlyEnd): ToolError | undefined {
  if (ended instanceof EarlyEnd) return ended.error;
  return ended.ok ? undefined : ended.error;
}

/** Returns the delay before the next attempt in milliseconds, or `undefined` if there is no further attempt. */
function pauseBefore(run: CallRun, plan: RetryPlan, attempt: number, error: ToolError): number | undefined {
  if (run.isAborted || run.isCancelled) return undefined;
  const asked = error.details?.['retryAfterMs'];
  const longest = Math.min(plan.maxDelayMs, plan.delayMs * 2 ** (attempt - 1));
  // Between half of the delay and all of it. The jitter prevents calls that failed together from retrying together.
  const pause = Math.round(
    typeof asked === 'number' && asked >= 0 ? asked : longest * (0.5 + Math.min(1, Math.max(0, plan.random())) / 2),
  );
  return pause <= plan.maxDelayMs && run.config.now() + pause < run.deadline ? pause : undefined;
}

async function rest(run: CallRun, plan: RetryPlan, pause: number): Promise<EarlyEnd | undefined> {
  const waiting = plan.wait(pause, run.signal);
  const outcome = await raceCancellation(run, { timeoutMs: run.deadline - run.config.now() }, waiting);
  if (outcome === 'aborted') return cancelAndEnd(run, 'ABORTED', `${run.call.name} was cancelled between two attempts`);
  if (outcome === 'timeout') return cancelAndEnd(run, 'TIMEOUT', `${run.call.name} exceeded its time limit`);
  return undefined;
}

/** Stores the last result, with the effects of all attempts. */
function keepResult(
  run: CallRun,
  ended: ToolResult | EarlyEnd,
  effects: readonly Effect[],
  attempts: number,
): EarlyEnd | undefined {
  if (ended instanceof EarlyEnd && attempts === 1 && effects.length === 0) return ended;
  const last = ended instanceof EarlyEnd ? failure(run.call.id, ended.error) : ended;
  const several = attempts === 1 ? {} : { metadata: { ...last.metadata, attempts } };
  run.returned = { ...last, ...several, effects: [...effects, ...last.effects] };
  return undefined;
}

/** Stores the return value of the body. An error that the body returns counts as thrown: as JSON, it would be empty. */
function keepReturned(run: CallRun, returned: unknown): EarlyEnd | undefined {
  if (returned instanceof Error) return endThrown(run, `${run.tool!.name} returned an error`, returned);
  run.returned = returned;
  return undefined;
}

const plainThen: unknown = Reflect.get(Promise.prototype, 'then');

/**
 * Runs the body until it ends, times out or is cancelled, and stores its return value on the run. A cancelled body gets
 * a short grace period. If it reports a failure within that period, the reported output and effects are kept. A
 * synchronous body does not allocate a promise.
 */
function withDeadline(run: CallRun): Step {
  const tool = run.tool!;
  if (run.isAborted || !run.isOpen) return endEarly('ABORTED', `${tool.name} was cancelled before it ran`);
  const { timeoutMs } = run;
  const { now } = run;
  // All attempts share one deadline.
  run.bodyStartedAt ??= now;
  run.deadline = run.bodyStartedAt + timeoutMs;
  try {
    const returned = runBody(run);
    if (returned instanceof Promise || (typeof returned !== 'string' && isThenable(returned)))
      return follow(new BodyWatch(run, timeoutMs, now), returned);
    return keepReturned(run, returned);
  } catch (error) {
    return endThrown(run, `${tool.name} threw`, error);
  }
}

/** Resolves when the body has ended or is abandoned. Registering listeners is cheaper than another `async` function. */
function follow(watch: BodyWatch, body: PromiseLike<unknown>): Promise<EarlyEnd | undefined> {
  return new Promise((resolve) => {
    // `resolve` adopts a thenable, or a promise with an overridden `then`, and follows chains of thenables.
    const pending = isPlainPromise(body) ? body : new Promise((take) => take(body));
    pending.then(
      (value) => watch.onValue(value),
      (error: unknown) => watch.onError(error),
    );
    watch.begin(resolve);
  });
}

/** Watches one pending body. Also serves as the entry for its deadline. */
class BodyWatch implements Deadline {
  at: number;
  earlier: Deadline | undefined = undefined;
  later: Deadline | undefined = undefined;
  readonly #run: CallRun;
  readonly #timeoutMs: number;
  #resolve: (ended: EarlyEnd | undefined) => void = unresolved;
  #earlyEnd: EarlyEnd | undefined = undefined;
  #isOver = false;
  #onAbort: (() => void) | undefined = undefined;

  constructor(run: CallRun, timeoutMs: number, now: number) {
    // If the clock is the system clock, it has just been read.
    this.at = (run.config.now === Date.now ? now : Date.now()) + run.deadline - now;
    this.#run = run;
    this.#timeoutMs = timeoutMs;
  }

  begin(resolve: (ended: EarlyEnd | undefined) => void): void {
    this.#resolve = resolve;
    const { config, options, tool } = this.#run;
    config.deadlines.add(this);
    const { signal } = options;
    if (!signal) return;
    this.#onAbort = () => this.#cancel(endEarly('ABORTED', `${tool!.name} was cancelled while it ran`));
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  onValue(value: unknown): void {
    if (this.#isOver) return;
    const report = this.#earlyEnd ? reportOf(this.#run.call.id, this.#earlyEnd, value) : value;
    if (this.#earlyEnd && report === undefined) return this.#end(this.#earlyEnd);
    this.#end(keepReturned(this.#run, report));
  }

  onError(error: unknown): void {
    if (!this.#isOver) this.#end(this.#earlyEnd ?? endThrown(this.#run, `${this.#run.tool!.name} threw`, error));
  }

  /** Called when the deadline or the grace period ends. */
  expire(): void {
    if (!this.#earlyEnd) this.#cancel(timedOut(this.#run, this.#timeoutMs));
    else this.#end(abandoned(this.#earlyEnd));
  }

  #cancel(reason: EarlyEnd): void {
    if (this.#earlyEnd || this.#isOver) return;
    this.#earlyEnd = reason;
    const { deadlines, cancelGraceMs } = this.#run.config;
    deadlines.remove(this);
    this.at = Date.now() + cancelGraceMs;
    deadlines.add(this);
    this.#run.cancel(reason.error.message, reason.error.code === 'TIMEOUT');
  }

  #end(ended: EarlyEnd | undefined): void {
    this.#isOver = true;
    this.#run.config.deadlines.remove(this);
    if (this.#onAbort) this.#run.options.signal?.removeEventListener('abort', this.#onAbort);
    this.#resolve(ended);
  }
}

function unresolved(): void {}

/**
 * Checks whether a promise uses the built-in `then`, which calls each listener once and never returns another thenable.
 */
function isPlainPromise(body: PromiseLike<unknown>): body is Promise<unknown> {
  return body instanceof Promise && body.then === plainThen && body.constructor === Promise;
}

/**
 * Returns the result of a cancelled call whose body ended within the grace period: the error of the early end plus the
 * output and effects of the body.
 */
function reportOf(callId: string, { error }: EarlyEnd, value: unknown): unknown {
  try {
    if (!isToolResult(value)) return undefined;
    const report = readToolResult(callId, value);
    const details = report.ok ? { finished: true } : (report.error.details ?? {});
    return { ...report, ok: false, error: { ...error, details } };
  } catch {
    return undefined;
  }
}

function timedOut(run: CallRun, timeoutMs: number): EarlyEnd {
  return endEarly('TIMEOUT', `${run.tool!.name} exceeded ${timeoutMs} ms`, {
    retryable: run.isRepeatable,
    hint: 'Do less in one call, or pass a longer timeout if the tool has one.',
  });
}

/** Ends a call whose body did not end within its grace period. Its later effects are ignored. */
function abandoned({ error }: EarlyEnd): EarlyEnd {
  const message = `${error.message}, and may still be running`;
  return endEarly(error.code as 'TIMEOUT' | 'ABORTED', message, {
    ...error,
    message,
    details: { ...error.details, abandoned: true },
  } as Partial<typeof error>);
}
