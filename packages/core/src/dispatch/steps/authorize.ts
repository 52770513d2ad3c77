import type {
  FoundTarget,
  PermissionDecision,
  PermissionRequest,
  ResolvedFile,
} from '../../contracts/permission/permission.ts';
import type { Footprint } from '../../contracts/permission/footprint.ts';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import { describeCause } from '../../describe-cause.ts';
import { showValue } from '../../options/show-option-value.ts';
import { isThenable } from '../../is-thenable.ts';
import { remedyOf } from '../../results/denial-remedy.ts';
import { readDenial } from '../../results/read-error.ts';
import { dropPromise } from '../../notify-listener.ts';
import type { CallRun } from '../call/call-run.ts';
import {
  cancelAndEnd,
  endEarly,
  endIfAborted,
  raceCancellation,
  type EarlyEnd,
  type Step,
  type WaitLimits,
} from '../call/early-end.ts';
import { footprintOf } from '../lease/call-footprint.ts';

const noNames: readonly string[] = Object.freeze([]);
const unanswered = { source: 'no-approver', reason: 'the question was not answered in time' } as const;

/** Requests permission for this call with its final arguments. A failing engine is a `host` fault, not a denial. */
export function authorize(run: CallRun): Step {
  // Neither the engine nor a person is asked about a call that was cancelled during an earlier step.
  const cancelled = run.hasWaited ? endIfAborted(run) : undefined;
  if (cancelled) return cancelled;
  try {
    const request = new PermissionQuestion(run, run.tool!);
    const asked: unknown = run.config.permission.ask(request);
    return mayBePromise(asked) && isThenable(asked) ? wait(run, request, asked) : judge(run, asked);
  } catch (cause) {
    return engineFailed(run.tool!, cause);
  }
}

async function wait(
  run: CallRun,
  request: PermissionQuestion,
  asked: PromiseLike<unknown>,
): Promise<EarlyEnd | undefined> {
  const tool = run.tool!;
  try {
    const outcome = await raceCancellation(run, request.limits(), asked);
    if (outcome === 'aborted')
      return cancelAndEnd(run, 'ABORTED', `${tool.name} was cancelled while permission was asked`);
    if (outcome !== 'timeout') return judge(run, outcome.value) ?? endIfAborted(run);
    run.cancel(unanswered.reason, true);
    return denied(tool, { action: 'deny', denial: unanswered });
  } catch (cause) {
    return engineFailed(tool, cause);
  }
}

/** Requests permission for a target that the body discovered, from the engine that allowed the call. */
export async function askAbout(run: CallRun, target: FoundTarget): Promise<PermissionDecision> {
  const request = new PermissionQuestion(run, run.tool!, target);
  const asked = run.config.permission.ask(request);
  const outcome = await raceCancellation<unknown>(run, request.limits(), asked);
  if (typeof outcome === 'object') return readDecision(outcome.value);
  const reason = outcome === 'aborted' ? 'the call was cancelled' : unanswered.reason;
  return { action: 'deny', denial: { source: 'no-approver', reason } };
}

function judge(run: CallRun, answer: unknown): EarlyEnd | undefined {
  const decision = readDecision(answer);
  if (decision.action === 'deny') return denied(run.tool!, decision);
  run.isAllowed = true;
  run.resolved = decision.resolved;
  return undefined;
}

function denied(tool: AnyTool, { denial }: PermissionDecision & { readonly action: 'deny' }): EarlyEnd {
  // A hint from the engine itself is rendered with the denial.
  const hint = "Don't try the same thing another way; ask the user or continue without it.";
  const { reason, remedy } = denial;
  const message = `${tool.name} was not allowed: ${reason}${remedy === undefined ? '' : remedyOf(remedy)}`;
  return endEarly('PERMISSION_DENIED', message, denial.hint === undefined ? { denial, hint } : { denial });
}

function engineFailed(tool: AnyTool, cause: unknown): EarlyEnd {
  const message = `the permission engine failed for ${tool.name}: ${describeCause(cause)}`;
  return endEarly('PERMISSION_ENGINE_FAILED', message, { cause });
}

function namesOf(args: unknown): readonly string[] {
  return typeof args === 'object' && args !== null ? Object.keys(args) : noNames;
}

/** Most answers are plain objects without a `then`. */
function mayBePromise(asked: unknown): boolean {
  return typeof asked !== 'object' || asked === null || 'then' in asked;
}

/** Reads an engine's answer, each member once. Throws if the answer is invalid. */
function readDecision(answer: unknown): PermissionDecision {
  if (typeof answer === 'object' && answer !== null) {
    const { action, denial, resolved } = answer as Readonly<Partial<Record<'action' | 'denial' | 'resolved', unknown>>>;
    if (action === 'allow') return resolved === undefined ? allow : readAllowance(resolved);
    if (action === 'deny') return { action, denial: readDenial(denial) };
  }
  throw new TypeError(
    `ask must return { action: "allow" } or { action: "deny", denial } (got ${showValue(answer)}); to ask a person, pass createPermissionEngine({ ask }) of @haft/permission`,
  );
}

/** An invalid list counts as missing: the body would resolve again what was already approved. */
function readAllowance(given: unknown): PermissionDecision {
  if (!Array.isArray(given)) throw new TypeError('"resolved" must be an array');
  return given.length === 0 ? allowWithoutFiles : { action: 'allow', resolved: readResolved(given) };
}

function readResolved(given: readonly unknown[]): readonly ResolvedFile[] {
  return given.map((file) => {
    const { key, path } = (file ?? {}) as Partial<ResolvedFile>;
    if (typeof key !== 'string' || (path !== undefined && typeof path !== 'string')) {
      throw new TypeError('each entry of "resolved" needs a string "key"');
    }
    return { key, path };
  });
}

const allow: PermissionDecision = Object.freeze({ action: 'allow' });
const allowWithoutFiles: PermissionDecision = Object.freeze({ action: 'allow', resolved: Object.freeze([]) });

/** A permission request whose expensive members are computed when the engine reads them. */
class PermissionQuestion implements PermissionRequest {
  readonly #run: CallRun;
  readonly #tool: AnyTool;
  readonly #target: FoundTarget | undefined;
  #footprint: Footprint | undefined;
  #argumentNames: readonly string[] | undefined;
  #questionsAhead = 0;
  #restart: ((timeoutMs: number) => void) | undefined;

  constructor(run: CallRun, tool: AnyTool, target?: FoundTarget) {
    this.#run = run;
    this.#tool = tool;
    this.#target = target;
  }

  get callId(): string {
    return this.#run.call.id;
  }

  get tool(): string {
    return this.#tool.name;
  }

  get provider(): string {
    return this.#run.provider;
  }

  get kind(): PermissionRequest['kind'] {
    return this.#tool.kind;
  }

  get traits(): PermissionRequest['traits'] {
    return this.#tool.traits;
  }

  get arguments(): unknown {
    return this.#target?.arguments ?? this.#run.args;
  }

  get argumentNames(): readonly string[] {
    return (this.#argumentNames ??= namesOf(this.#target?.arguments ?? this.#run.argsToCopy));
  }

  /** The tool is asked only once, so that all parts of the request are consistent. */
  get footprint(): Footprint {
    return (this.#footprint ??= this.#target?.footprint ?? footprintOf(this.#run));
  }

  get title(): string {
    if (this.#target) return this.#target.title;
    try {
      const title: unknown = this.#tool.initialTitle?.(this.#run.args);
      if (typeof title === 'string') return title;
      dropPromise(title);
    } catch {
      // Falls back to the tool's own title, which says less.
    }
    return this.#tool.title;
  }

  get cwd(): string {
    return this.#run.config.workspace.cwd;
  }

  get sessionId(): string {
    const { sessionId, runId } = this.#run.options;
    return sessionId || runId;
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  setQuestionsAhead(count: number): void {
    this.#questionsAhead = count > 0 ? count : 0;
    this.#restart?.(this.limits().timeoutMs);
  }

  /** Limits of the wait for the decision. The engine may have counted questions before the wait begins. */
  limits(): WaitLimits {
    const timeoutMs = this.#run.config.permissionTimeoutMs * (1 + this.#questionsAhead);
    return { timeoutMs, onWait: (restart) => (this.#restart = restart) };
  }
}
