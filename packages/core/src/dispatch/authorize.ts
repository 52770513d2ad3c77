import type { FoundTarget } from '../contracts/context.ts';
import type { Footprint } from '../contracts/footprint.ts';
import type { PermissionDecision, PermissionRequest } from '../contracts/permission.ts';
import type { AnyTool } from '../contracts/tool.ts';
import type { CallRun } from './call-run.ts';
import { footprintOf } from './footprint.ts';
import { raceCancellation } from './race-cancellation.ts';
import { reject, type Rejection } from './rejection.ts';

/** Asks whether this call, with these final arguments, may run. An engine that fails is no denial: it is the host's fault. */
export function authorize(run: CallRun, tool: AnyTool): Rejection | undefined | Promise<Rejection | undefined> {
  let asked;
  try {
    asked = run.parts.permission.ask(new LazyRequest(run, tool));
  } catch (cause) {
    return engineFailed(tool, cause);
  }
  if (isDecision(asked)) return verdict(run, tool, asked);
  return raceCancellation(run, { timeoutMs: run.parts.permissionTimeoutMs }, asked).then(
    (decision) => verdict(run, tool, decision),
    (cause: unknown) => engineFailed(tool, cause),
  );
}

/** Asks about a target that the body found on its way, with the engine that allowed the call. */
export async function askAbout(run: CallRun, target: FoundTarget): Promise<PermissionDecision> {
  const request = new LazyRequest(run, run.tool!, target);
  const decision = await raceCancellation(
    run,
    { timeoutMs: run.parts.permissionTimeoutMs },
    run.parts.permission.ask(request),
  );
  if (isDecision(decision)) return decision;
  const reason = decision === 'aborted' ? 'the call was cancelled' : 'nobody answered in time';
  return { action: 'deny', denial: { source: 'nobody-to-ask', reason } };
}

function verdict(
  run: CallRun,
  tool: AnyTool,
  decision: PermissionDecision | 'timeout' | 'aborted',
): Rejection | undefined {
  if (decision === 'aborted') return reject('ABORTED', `${tool.name} was cancelled while permission was asked`);
  if (decision === 'timeout') {
    const denial = { source: 'nobody-to-ask', reason: 'nobody answered the question in time' } as const;
    return reject('PERMISSION_DENIED', `${tool.name} was not allowed: ${denial.reason}`, { denial });
  }
  if (!isDecision(decision)) return engineFailed(tool, new TypeError('the engine answered neither allow nor deny'));
  if (decision.action === 'allow') {
    run.resolved = decision.resolved;
    return undefined;
  }
  const { denial } = decision;
  return reject('PERMISSION_DENIED', `${tool.name} was not allowed: ${denial.reason}`, {
    denial,
    hint:
      denial.hint === undefined
        ? "Don't try the same thing another way; ask the person or go on without it."
        : undefined,
  } as { readonly denial: typeof denial; readonly hint?: string });
}

function engineFailed(tool: AnyTool, cause: unknown): Rejection {
  const message = cause instanceof Error ? cause.message : String(cause);
  return reject('PERMISSION_ENGINE_FAILED', `permission for ${tool.name} could not be decided: ${message}`, { cause });
}

function isDecision(value: unknown): value is PermissionDecision {
  if (typeof value !== 'object' || value === null) return false;
  const { action, denial } = value as { readonly action?: unknown; readonly denial?: unknown };
  return action === 'allow' || (action === 'deny' && typeof denial === 'object' && denial !== null);
}

/** A request whose costly members are worked out when the engine reads them. */
class LazyRequest implements PermissionRequest {
  readonly #run: CallRun;
  readonly #tool: AnyTool;
  readonly #target: FoundTarget | undefined;

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

  get footprint(): Footprint {
    return this.#target?.footprint ?? footprintOf(this.#tool, this.#run.args, this.cwd);
  }

  get title(): string {
    if (this.#target) return this.#target.title;
    try {
      return this.#tool.initialTitle?.(this.#run.args) ?? this.#tool.title;
    } catch {
      return this.#tool.title;
    }
  }

  get cwd(): string {
    return this.#run.parts.workspace.cwd;
  }

  get sessionId(): string {
    return this.#run.circumstances.sessionId ?? '';
  }

  get signal(): AbortSignal {
    return this.#run.context.signal;
  }
}
