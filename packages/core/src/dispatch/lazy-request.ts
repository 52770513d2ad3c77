import type { FoundTarget } from '../contracts/context.ts';
import type { Footprint } from '../contracts/footprint.ts';
import type { PermissionRequest } from '../contracts/permission.ts';
import type { AnyTool } from '../contracts/tool.ts';
import { dropPromise } from '../tell-listener.ts';
import type { CallRun } from './call-run.ts';
import { footprintOf } from './footprint.ts';

/** A request whose costly members are worked out when the engine reads them. */
export class LazyRequest implements PermissionRequest {
  readonly #run: CallRun;
  readonly #tool: AnyTool;
  readonly #target: FoundTarget | undefined;
  #footprint: Footprint | undefined;

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
    return this.#target?.arguments ?? this.#run.shownArgs;
  }

  /** Asked of the tool once, so that all of one question is about the same. */
  get footprint(): Footprint {
    return (this.#footprint ??= this.#target?.footprint ?? footprintOf(this.#run));
  }

  get title(): string {
    if (this.#target) return this.#target.title;
    try {
      const title: unknown = this.#tool.initialTitle?.(this.#run.shownArgs);
      if (typeof title === 'string') return title;
      dropPromise(title);
    } catch {
      // The tool's own title says less, but says it.
    }
    return this.#tool.title;
  }

  get cwd(): string {
    return this.#run.parts.workspace.cwd;
  }

  get sessionId(): string {
    return this.#run.circumstances.sessionId;
  }

  get signal(): AbortSignal {
    return this.#run.context.signal;
  }
}
