import { isThenable } from '../../is-thenable.ts';
import { readToolResult } from '../../results/read-result.ts';
import { isToolResult } from '../../results/tool-result.ts';
import type { CallRun } from '../call/call-run.ts';
import { isRepeatable } from '../call/is-repeatable.ts';
import { stopThrown } from '../call/stop-thrown.ts';
import { stop, type Stop, type Step } from '../call/stop.ts';
import type { Deadline } from '../time/deadline-timer.ts';

const plainThen: unknown = Reflect.get(Promise.prototype, 'then');

/**
 * Runs the body until it ends, times out or is cancelled, and stores its return value on the run. A stopped body gets a
 * short grace period. If it reports a failure within that period, the reported output and effects are kept. A
 * synchronous body does not allocate a promise.
 */
export function withDeadline(run: CallRun, body: (run: CallRun) => unknown): Step {
  const tool = run.tool!;
  if (run.isAborted || !run.isOpen) return stop('ABORTED', `${tool.name} was cancelled before it ran`);
  const timeoutMs = run.options.timeoutMs ?? run.toolTimeoutMs;
  const { now } = run;
  // All attempts share one deadline.
  run.bodyStartedAt ??= now;
  run.deadline = run.bodyStartedAt + timeoutMs;
  try {
    const returned = body(run);
    if (returned instanceof Promise || (typeof returned !== 'string' && isThenable(returned)))
      return follow(new BodyWatch(run, timeoutMs, now), returned);
    run.returned = returned;
    return undefined;
  } catch (error) {
    return stopThrown(run, `${tool.name} threw`, error);
  }
}

/** Resolves when the body has ended or is abandoned. Registering listeners is cheaper than another `async` function. */
function follow(watch: BodyWatch, body: PromiseLike<unknown>): Promise<Stop | undefined> {
  return new Promise((resolve) => {
    // `resolve` adopts a thenable, or a promise with an overridden `then`, and follows chains of thenables.
    const settling = isPlainPromise(body) ? body : new Promise((take) => take(body));
    settling.then(
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
  #resolve: (ended: Stop | undefined) => void = unresolved;
  #stopped: Stop | undefined = undefined;
  #isOver = false;
  #onAbort: (() => void) | undefined = undefined;

  constructor(run: CallRun, timeoutMs: number, now: number) {
    // If the clock is the system clock, it has just been read.
    this.at = (run.config.now === Date.now ? now : Date.now()) + run.deadline - now;
    this.#run = run;
    this.#timeoutMs = timeoutMs;
  }

  begin(resolve: (ended: Stop | undefined) => void): void {
    this.#resolve = resolve;
    const { config, options, tool } = this.#run;
    config.deadlines.add(this);
    const { signal } = options;
    if (!signal) return;
    this.#onAbort = () => this.#stop(stop('ABORTED', `${tool!.name} was cancelled while it ran`));
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  onValue(value: unknown): void {
    if (this.#isOver) return;
    const report = this.#stopped ? reportOf(this.#run.call.id, this.#stopped, value) : value;
    if (this.#stopped && report === undefined) return this.#end(this.#stopped);
    this.#run.returned = report;
    this.#end(undefined);
  }

  onError(error: unknown): void {
    if (!this.#isOver) this.#end(this.#stopped ?? stopThrown(this.#run, `${this.#run.tool!.name} threw`, error));
  }

  /** Called when the deadline or the grace period ends. */
  expire(): void {
    if (!this.#stopped) this.#stop(timedOut(this.#run, this.#timeoutMs));
    else this.#end(abandoned(this.#stopped));
  }

  #stop(reason: Stop): void {
    if (this.#stopped || this.#isOver) return;
    this.#stopped = reason;
    const { deadlines, cancelGraceMs } = this.#run.config;
    deadlines.remove(this);
    this.at = Date.now() + cancelGraceMs;
    deadlines.add(this);
    this.#run.cancel(reason.error.message, reason.error.code === 'TIMEOUT');
  }

  #end(ended: Stop | undefined): void {
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
 * Returns the result of a stopped call whose body ended within the grace period: the stop error plus the output and
 * effects of the body.
 */
function reportOf(callId: string, { error }: Stop, value: unknown): unknown {
  try {
    if (!isToolResult(value)) return undefined;
    const report = readToolResult(callId, value);
    const details = report.ok ? { finished: true } : (report.error.details ?? {});
    return { ...report, ok: false, error: { ...error, details } };
  } catch {
    return undefined;
  }
}

function timedOut(run: CallRun, timeoutMs: number): Stop {
  return stop('TIMEOUT', `${run.tool!.name} exceeded ${timeoutMs} ms`, {
    retryable: isRepeatable(run),
    hint: 'Do less in one call, or pass a longer timeout if the tool has one.',
  });
}

/** Returns the stop for a body that did not end within its grace period. Its later effects are ignored. */
function abandoned({ error }: Stop): Stop {
  const message = `${error.message}, and may still be running`;
  return stop(error.code as 'TIMEOUT' | 'ABORTED', message, {
    ...error,
    message,
    details: { ...error.details, abandoned: true },
  } as Partial<typeof error>);
}
