import type { AnyTool } from '../contracts/tool.ts';
import { isToolResult } from '../results/tool-result.ts';
import { readToolResult } from '../results/read-result.ts';
import type { CallRun } from './call-run.ts';
import type { Deadline } from './deadline-timer.ts';
import { thrown } from './execute.ts';
import { reject, type Rejection } from './rejection.ts';
import type { Resume, StepOutcome } from './step.ts';

/** How long a call may take in all, and how much of that is left, in milliseconds. */
interface BodyTime {
  readonly timeoutMs: number;
  /** When the body was called, by the call's clock. */
  readonly startedAt: number;
  readonly leftMs: number;
}

/**
 * Waits for a body until it ends, its deadline passes or the call is cancelled. After that the body may wind up for a
 * moment: what it then reports as a failure of its own (output so far, what was already changed) is kept.
 */
export function supervise(run: CallRun, body: PromiseLike<unknown>, time: BodyTime, resume: Resume): void {
  const watch = new BodyWatch(run, run.tool!, time, resume);
  // A promise of our own adopts anything that is not just a promise, however often it hands on to another.
  const settling = isPlainPromise(body) ? body : new Promise((take) => take(body));
  settling.then(
    (value) => watch.onValue(value),
    (error: unknown) => watch.onError(error),
  );
  watch.begin();
}

/** One body that is waited for; is itself the deadline that it has to meet. */
class BodyWatch implements Deadline {
  at: number;
  earlier: Deadline | undefined = undefined;
  later: Deadline | undefined = undefined;
  readonly #run: CallRun;
  readonly #tool: AnyTool;
  readonly #timeoutMs: number;
  readonly #resume: Resume;
  #stopped: Rejection | undefined;
  #isOver = false;
  #onAbort: (() => void) | undefined;

  constructor(run: CallRun, tool: AnyTool, { timeoutMs, startedAt, leftMs }: BodyTime, resume: Resume) {
    // Where the call's clock is the machine's, it has just been read.
    this.at = (run.parts.now === Date.now ? startedAt : Date.now()) + leftMs;
    this.#run = run;
    this.#tool = tool;
    this.#timeoutMs = timeoutMs;
    this.#resume = resume;
  }

  begin(): void {
    this.#run.parts.deadlines.add(this);
    const { signal } = this.#run.circumstances;
    if (!signal) return;
    this.#onAbort = () => this.#stop(reject('ABORTED', `${this.#tool.name} was cancelled while it ran`));
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  onValue(value: unknown): void {
    if (this.#isOver) return;
    if (!this.#stopped) {
      this.#run.returned = value;
      return this.#end(undefined);
    }
    const report = windUp(this.#run.call.id, this.#stopped, value);
    if (report === undefined) return this.#end(this.#stopped);
    this.#run.returned = report;
    this.#end(undefined);
  }

  onError(error: unknown): void {
    if (!this.#isOver) this.#end(this.#stopped ?? thrown(this.#tool, error));
  }

  /** The deadline passed, or the time to wind up after it. */
  expire(): void {
    if (!this.#stopped) this.#stop(timedOut(this.#tool, this.#timeoutMs));
    else this.#end(abandoned(this.#stopped));
  }

  #stop(reason: Rejection): void {
    if (this.#stopped || this.#isOver) return;
    this.#stopped = reason;
    const { deadlines, cancelGraceMs } = this.#run.parts;
    deadlines.remove(this);
    this.at = Date.now() + cancelGraceMs;
    deadlines.add(this);
    this.#run.cancel(reason.error.message, reason.error.code === 'TIMEOUT');
  }

  #end(outcome: StepOutcome): void {
    this.#isOver = true;
    this.#run.parts.deadlines.remove(this);
    if (this.#onAbort) this.#run.circumstances.signal?.removeEventListener('abort', this.#onAbort);
    this.#resume(this.#run, outcome);
  }
}

/** What a stopped call answers when its body still ended in time: the stop, with what the body had to report. */
function windUp(callId: string, { error }: Rejection, value: unknown): unknown {
  try {
    if (!isToolResult(value)) return undefined;
    const report = readToolResult(callId, value);
    const details = report.ok ? { finished: true } : (report.error.details ?? {});
    return { ...report, ok: false, error: { ...error, details } };
  } catch {
    return undefined;
  }
}

function timedOut(tool: AnyTool, timeoutMs: number): Rejection {
  return reject('TIMEOUT', `${tool.name} did not end in ${timeoutMs} ms`, {
    retryable: tool.traits.readOnly || tool.traits.idempotent,
    hint: 'Do less in one call, or raise its time limit where the tool has one.',
  });
}

/** A body that did not even end after it was told to: what it still does is no longer heard of. */
function abandoned({ error }: Rejection): Rejection {
  const message = `${error.message}, and was abandoned: it may still be at work`;
  return reject(error.code as 'TIMEOUT' | 'ABORTED', message, {
    ...error,
    message,
    details: { ...error.details, abandoned: true },
  } as Partial<typeof error>);
}

function isPlainPromise(body: PromiseLike<unknown>): body is Promise<unknown> {
  return body instanceof Promise && body.constructor === Promise && !Object.hasOwn(body, 'then');
}
