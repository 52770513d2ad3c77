import type { Model } from '@haft/core';
import type { AgentEvent } from '../contracts/agent-event.ts';
import type { AllowedTools } from '../options/agent-options.ts';
import type { RunLimits } from '../limits/run-limits.ts';

/** A kind of agent that a model can delegate work to. */
export interface SubagentType {
  /** When to use it, as one sentence for the model that chooses. */
  readonly description: string;
  readonly systemPrompt?: string;
  /** Default: the model of the runner, or else of the run that starts the agent. */
  readonly model?: Model;
  /** Tools that it may use; default: those of the source. At the maximum depth, never the agent tools. */
  readonly allow?: AllowedTools;
  readonly maxToolIterations?: number;
  /** Limits of the agent; default: those of the runner. */
  readonly limits?: RunLimits;
}

/** A task for an agent. */
export interface SubagentRequest {
  readonly type: string;
  readonly prompt: string;
}

/** The origin of a task for an agent. */
export interface SubagentOrigin {
  /** The requesting run. Its background agents end with it. */
  readonly taskId: string;
  readonly callId: string;
  /** 0 for work that the main agent delegates. */
  readonly depth: number;
  readonly signal?: AbortSignal;
  /** The model of the requesting run. */
  readonly model?: Model | undefined;
}

/** State of an agent. */
export interface SubagentReport {
  /** Id of the agent and of its session. */
  readonly id: string;
  readonly type: string;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  readonly turns: number;
  readonly calls: number;
  readonly durationMs: number;
  readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number; readonly totalTokens?: number };
  readonly costUsd?: number;
  /** The answer, possibly partial, once the agent has ended. */
  readonly text?: string;
  /** Why it stopped; a value of `AgentResult.stopReason`. */
  readonly stopReason?: string;
  /** Error message, if it failed. */
  readonly problem?: string;
}

/** An event of an agent. */
export interface SubagentEvent {
  readonly agentId: string;
  readonly agentType: string;
  /** 1 for an agent started by the main agent. */
  readonly depth: number;
  readonly taskId: string;
  readonly callId: string;
  readonly event: AgentEvent;
}

/** Starts and tracks agents. */
export interface SubagentRunner {
  /** Returns the current types by name. */
  types(): Readonly<Record<string, SubagentType>>;
  /** Starts an agent. Returns a reason if a limit is reached or the type is unknown. */
  start(request: SubagentRequest, origin: SubagentOrigin): { readonly id: string } | { readonly refused: string };
  /** Returns the state of an agent, or undefined if it does not belong to the task. */
  report(id: string, taskId: string): SubagentReport | undefined;
  /** Returns all agents of a task in the order of their start. */
  list(taskId: string): readonly SubagentReport[];
  /** Resolves when the agent has ended or the signal aborts. */
  wait(id: string, taskId: string, signal?: AbortSignal): Promise<SubagentReport | undefined>;
  /** Stops an agent. Returns whether it was running. */
  stop(id: string, taskId: string): boolean;
  /** Stops and forgets all agents of a task. */
  forgetTask(taskId: string): void;
}
