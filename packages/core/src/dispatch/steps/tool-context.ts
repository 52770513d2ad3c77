import type { ProgressUpdate } from '../../contracts/tools/progress.ts';
import type { ToolContext, ToolSnapshot } from '../../contracts/tools/tool.ts';
import type { Resource } from '../../contracts/results/resource.ts';
import { silentLogger, type Logger, type Session } from '../../contracts/workspace/session.ts';
import type { Workspace } from '../../contracts/workspace/workspace.ts';
import type { CallRun } from '../call/call-run.ts';
import { askAbout } from './authorize.ts';

const noResources: readonly Resource[] = Object.freeze([]);

/** Returns the context for the tool's body and check. Each call has one context object. */
export function contextOf(run: CallRun): ToolContext {
  return (run.context ??= new CallContextView(run));
}

/** Computes its members lazily, because most bodies read none of them. */
class CallContextView implements ToolContext {
  readonly #run: CallRun;

  constructor(run: CallRun) {
    this.#run = run;
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  get deadline(): number {
    return this.#run.deadline;
  }

  get cwd(): string {
    return this.workspace.cwd;
  }

  get writeRoots(): readonly string[] | 'unrestricted' {
    return this.workspace.writeRoots;
  }

  get workspace(): Workspace {
    return this.#run.config.workspace;
  }

  // Getters that return functions, so that a body can destructure its context: `({ path }, { progress }) => …`.
  get now(): ToolContext['now'] {
    return this.#run.config.now;
  }

  get logger(): Logger {
    const own = this.workspace.logger ?? silentLogger;
    const peer = this.#run.options.session?.logger;
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
    return this.#run.options.sessionId;
  }

  get runId(): string {
    return this.#run.options.runId;
  }

  get turn(): number {
    return this.#run.options.turn;
  }

  get messageId(): string {
    return this.#run.options.messageId;
  }

  get inferenceId(): string {
    return this.#run.options.inferenceId;
  }

  get callId(): string {
    return this.#run.call.id;
  }

  get idempotencyKey(): string | undefined {
    return this.#run.options.given.idempotencyKey;
  }

  get parentCallId(): string | undefined {
    return this.#run.options.parentCallId;
  }

  get snapshot(): ToolSnapshot {
    return this.#run.snapshot;
  }

  get modelName(): string {
    return this.#run.options.modelName;
  }

  get model(): ToolContext['model'] {
    return this.#run.options.given.model;
  }

  get session(): Session {
    return this.#run.options.session ?? { id: this.sessionId, metadata: {} };
  }

  get resources(): readonly Resource[] {
    return this.#run.options.resources ?? noResources;
  }
}

/**
 * Creates a logger that writes to the workspace's logger and to the client. A failure to reach the client does not fail
 * the body.
 */
function joinLoggers(own: Logger, peer: Logger): Logger {
  const both =
    (level: keyof Logger): Logger['info'] =>
    (message, data) => {
      try {
        peer[level](message, data);
      } catch {
        // The other logger still gets the message.
      }
      own[level](message, data);
    };
  return { debug: both('debug'), info: both('info'), warn: both('warn'), error: both('error') };
}
