import type { AnyTool } from '../../contracts/tools/tool.ts';
import { describeCause } from '../../describe-cause.ts';
import { isThenable } from '../../is-thenable.ts';
import { readToolError } from '../../results/read-error.ts';
import { readToolResult } from '../../results/read-result.ts';
import { isToolError, isToolResult } from '../../results/tool-result.ts';
import type { CallRun } from '../call/call-run.ts';
import { stop, Stop, type Step } from '../call/stop.ts';
import type { Deadline } from '../time/deadline-timer.ts';

const plainThen: unknown = Reflect.get(Promise.prototype, 'then');

/**
 * Runs the body until it ends, its deadline passes or the call is cancelled, and leaves what it returned on the run. A
 * stopped body gets a short grace period: what it then reports as a failure (output so far, what it already changed) is
 * kept. A body that answers at once costs no promise.
 */
export function withDeadline(run: CallRun, body: (run: CallRun) => unknown): Step {
  const tool = run.tool!;
  if (run.isAborted || !run.isOpen) return stop('ABORTED', `${tool.name} was cancelled before it ran`);
  const timeoutMs = run.options.timeoutMs ?? run.toolTimeoutMs;
  const { now } = run;
  // One deadline for all attempts.
  run.bodyStartedAt ??= now;
  run.deadline = run.bodyStartedAt + timeoutMs;
  try {
    const returned = body(run);
    if (returned instanceof Promise || (typeof returned !== 'string' && isThenable(returned)))
      return follow(new BodyWatch(run, timeoutMs, now), returned);
    run.returned = returned;
    return undefined;
  } catch (error) {
    return thrown(tool, error);
  }
}

/** Resolves when the body has ended, or is abandoned. Listening costs less than another `async` function would. */
function follow(watch: BodyWatch, body: PromiseLike<unknown>): Promise<Stop | undefined> {
  return new Promise((resolve) => {
    // Resolving adopts a thenable, and a promise with a `then` of its own, however often it hands on to another.
    const settling = isPlainPromise(body) ? body : new Promise((take) => take(body));
    settling.then(
      (value) => watch.onValue(value),
      (error: unknown) => watch.onError(error),
    );
    watch.begin(resolve);
  });
}

/** One body that is awaited; is itself the deadline that the body has to meet. */
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
    // Where the call's clock is the machine's, it has just been read.
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
    if (!this.#isOver) this.#end(this.#stopped ?? thrown(this.#run.tool!, error));
  }

  /** The deadline passed, or the grace period after it. */
  expire(): void {
    if (!this.#stopped) this.#stop(timedOut(this.#run.tool!, this.#timeoutMs));
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

/** Whether a promise is read by `then` of the platform, which calls its listeners once and hands no promise on. */
function isPlainPromise(body: PromiseLike<unknown>): body is Promise<unknown> {
  return body instanceof Promise && body.then === plainThen && body.constructor === Promise;
}

/** The result of a stopped call whose body still ended in time: the stop, with what the body had to report. */
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

/** What a body threw: a tool error, or a mistake of its code. */
function thrown(tool: AnyTool, error: unknown): Stop {
  try {
    if (isToolError(error)) return new Stop(readToolError(error));
  } catch {
    // It only looked like a tool error.
  }
  return stop('EXECUTION_ERROR', `${tool.name} threw: ${describeCause(error)}`, { cause: error });
}

function timedOut(tool: AnyTool, timeoutMs: number): Stop {
  return stop('TIMEOUT', `${tool.name} did not end in ${timeoutMs} ms`, {
    retryable: tool.traits.readOnly || tool.traits.idempotent,
    hint: 'Do less in one call, or raise its time limit where the tool has one.',
  });
}

/** A body that did not end within its grace period either: what it still does is ignored. */
function abandoned({ error }: Stop): Stop {
  const message = `${error.message}, and was abandoned: it may still be at work`;
  return stop(error.code as 'TIMEOUT' | 'ABORTED', message, {
    ...error,
    message,
    details: { ...error.details, abandoned: true },
  } as Partial<typeof error>);
}
