import type { ToolSource } from '../calls/source.ts';
import type { Usage } from '../conversation/model.ts';

/** The turn of a run that was under way when its process ended. */
export interface OpenTurn {
  /** The model's answer as JSON, if it was complete. Its calls may have run. */
  readonly answer?: unknown;
  /** Number of requests whose answers never became complete. */
  readonly interrupted: number;
}

/**
 * Keeps the turns of a run, so that another process can continue it. A host such as `@haft/jobs` implements it, and the
 * agent loop writes it. Turns are numbered from 1. If a method rejects, the run ends at once, because another process may
 * have taken it over.
 */
export interface RunLog {
  /** Returns the complete turns as JSON, in order, and the one that was under way. */
  read(): Promise<{ readonly turns: readonly unknown[]; readonly open: OpenTurn }>;
  /** Records that the model is about to be asked. */
  ask(turn: number): Promise<void>;
  /** Records the model's answer as JSON, before any of its calls run. */
  answer(turn: number, answer: unknown): Promise<void>;
  /** Records the complete turn as JSON. */
  complete(turn: number, record: unknown): Promise<void>;
}

/** What a host gives an agent for a run, or for the rest of one. */
export interface DurableRun {
  /** Unique and stable: the calls of the run are identified by it, their turn and their ID. */
  readonly runId: string;
  readonly prompt: string;
  /** Runs the calls. A call that has a result already returns it again. */
  readonly tools: ToolSource;
  readonly log: RunLog;
  readonly signal: AbortSignal;
}

/** How a durable run ended. */
export interface DurableRunResult {
  readonly stopReason: string;
  readonly text: string;
  readonly output?: unknown;
  readonly turns: number;
  readonly usage: Usage;
  /** The message of the error that ended the run. */
  readonly problem?: string;
}

/** An agent whose runs any process can continue from their log. Created by `createDurableAgent` of `@haft/runner`. */
export interface DurableAgent {
  /** Up to 50 letters, digits, `-` and `_`. */
  readonly name: string;
  /** When to use it, as one sentence for the model of an agent that may start it. */
  readonly description: string;
  /** Names of the agents that it may start. */
  readonly subagents: readonly string[];
  /** Runs until the end. Rejects only if the log rejects. */
  run(run: DurableRun): Promise<DurableRunResult>;
}
