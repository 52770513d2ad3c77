import type { DispatchMiddleware } from '../contracts/calls/middleware.ts';
import type { FinishReason, Usage } from '../contracts/conversation/model.ts';
import type { ToolError } from '../contracts/results/error.ts';
import type { Session } from '../contracts/workspace/session.ts';
import type { ToolObserver } from './tool-event.ts';

/** A step of an agent run: the run itself, one of its turns, or one request to the model. */
export type RunStep =
  | {
      readonly kind: 'run';
      readonly runId: string;
      readonly sessionId?: string;
      readonly session?: Session;
      readonly agentName?: string;
      readonly modelName: string;
      readonly vendor?: string;
    }
  | { readonly kind: 'turn'; readonly runId: string; readonly sessionId?: string; readonly turn: number }
  | {
      readonly kind: 'request';
      readonly runId: string;
      readonly sessionId?: string;
      readonly turn: number;
      /** Starts at 1. Greater for the repetition of a failed request. */
      readonly attempt: number;
      readonly modelName: string;
      readonly vendor?: string;
      readonly temperature?: number;
      readonly maxOutputTokens?: number;
      /** Whether the request asks for an answer that matches a schema. */
      readonly hasSchema: boolean;
    };

/** The outcome of a step. Members that do not apply to the step are missing. */
export interface RunStepOutcome {
  readonly error?: ToolError;
  readonly usage?: Usage;
  readonly finishReason?: FinishReason;
  /** Why the run ended. */
  readonly stopReason?: string;
  /** Number of answered requests of the run. */
  readonly turns?: number;
  /** Milliseconds from the request to the first event of the answer. */
  readonly firstEventMs?: number;
}

/** A step while it runs. */
export interface TracedStep {
  /** Calls `work` with this step as the current one, so that spans that start inside become its children. */
  within<Result>(work: () => Result): Result;
  end(outcome: RunStepOutcome): void;
}

/** Traces an agent loop, for example as spans of OpenTelemetry. What it throws never affects the run. */
export interface RunTracing {
  /** Starts a step inside the current one. Returns undefined if the step is not recorded. */
  startStep(step: RunStep): TracedStep | undefined;
  /** Traces the calls. The loop adds it to a dispatcher that the loop creates itself. */
  readonly middleware?: DispatchMiddleware;
  /** Observes the calls. The loop adds it to a dispatcher that the loop creates itself. */
  readonly observer?: ToolObserver;
}
