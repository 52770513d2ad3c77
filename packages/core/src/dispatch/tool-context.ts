import type { ProgressUpdate, ToolContext } from '../contracts/context.ts';
import type { Resource } from '../contracts/resource.ts';
import { silentLogger, type Logger, type Session } from '../contracts/session.ts';
import type { ToolSnapshot } from '../contracts/source.ts';
import type { Workspace } from '../contracts/workspace.ts';
import type { CallRun } from './call-run.ts';
import { askAbout } from './authorize.ts';

const noResources: readonly Resource[] = Object.freeze([]);

/**
 * The context of one call. Costly members (the signal, above all) are made when they are first read, since most
 * bodies read none of them.
 */
export class CallContextView implements ToolContext {
  readonly #run: CallRun;
  #controller: AbortController | undefined;
  #cancelReason: unknown;
  #cancelled = false;
  deadline: number = Infinity;

  constructor(run: CallRun) {
    this.#run = run;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#cancelled) this.#controller.abort(this.#cancelReason);
    }
    return this.#controller.signal;
  }

  /** True once the call's own signal was aborted, or would be. */
  get isCancelled(): boolean {
    return this.#cancelled;
  }

  /** Aborts the signal, also one that is read only later. */
  cancel(reason: unknown): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#cancelReason = reason;
    this.#controller?.abort(reason);
  }

  get cwd(): string {
    return this.workspace.cwd;
  }

  get writeRoots(): readonly string[] | 'unrestricted' {
    return this.workspace.writeRoots;
  }

  get workspace(): Workspace {
    return this.#run.parts.workspace;
  }

  // Getters of functions, so that a body may take them out of its context: `({ path }, { progress }) => …`.
  get now(): ToolContext['now'] {
    return this.#run.parts.now;
  }

  get logger(): Logger {
    const own = this.workspace.logger ?? silentLogger;
    const peer = this.#run.circumstances.session?.logger;
    return peer ? joinLoggers(own, peer) : own;
  }

  get progress(): ToolContext['progress'] {
    return (update: ProgressUpdate | string) =>
      this.#run.progress(typeof update === 'string' ? { message: update } : update);
  }

  get permission(): ToolContext['permission'] {
    const { resolved } = this.#run;
    return { ask: (target) => askAbout(this.#run, target), ...(resolved === undefined ? {} : { resolved }) };
  }

  get sessionId(): string {
    return this.#run.circumstances.sessionId;
  }

  get runId(): string {
    return this.#run.circumstances.runId;
  }

  get turn(): number {
    return this.#run.circumstances.turn;
  }

  get messageId(): string {
    return this.#run.circumstances.messageId;
  }

  get inferenceId(): string {
    return this.#run.circumstances.inferenceId;
  }

  get callId(): string {
    return this.#run.call.id;
  }

  get parentCallId(): string | undefined {
    return this.#run.circumstances.parentCallId;
  }

  get snapshot(): ToolSnapshot {
    return this.#run.snapshot;
  }

  get modelName(): string {
    return this.#run.circumstances.modelName;
  }

  get session(): Session {
    return this.#run.circumstances.session ?? { id: this.sessionId, metadata: {} };
  }

  get resources(): readonly Resource[] {
    return this.#run.circumstances.resources ?? noResources;
  }
}

/** Writes to both; that the program at the other end can't be told is no failure of a body. */
function joinLoggers(own: Logger, peer: Logger): Logger {
  const both =
    (level: keyof Logger): Logger['info'] =>
    (message, data) => {
      try {
        peer[level](message, data);
      } catch {
        // Said below all the same.
      }
      own[level](message, data);
    };
  return { debug: both('debug'), info: both('info'), warn: both('warn'), error: both('error') };
}
