import type { Model } from '@haft/core';
import type { AgentEvent } from '../contracts/agent-event.ts';
import type { AllowedTools } from '../contracts/agent-options.ts';
import type { RunLimits } from '../limits/run-limits.ts';

/** One kind of agent that a model can hand work to. */
export interface SubagentType {
  /** What it is good for, in one sentence for the model that chooses. */
  readonly description: string;
  readonly systemPrompt?: string;
  /** Default: the model of all. */
  readonly model?: Model;
  /** Which tools it may use; default: those of the source. Never the tools for agents, beyond the depth allowed. */
  readonly allow?: AllowedTools;
  readonly maxToolIterations?: number;
  /** Its budget; default: that of all. */
  readonly limits?: RunLimits;
}

/** What is asked of an agent. */
export interface SubagentRequest {
  readonly type: string;
  readonly prompt: string;
}

/** Where the work comes from. */
export interface SubagentOrigin {
  /** The run that asks; agents that work in the background end with it. */
  readonly taskId: string;
  readonly callId: string;
  /** 0 for work that a first agent hands out. */
  readonly depth: number;
  readonly signal?: AbortSignal;
}

/** How an agent is getting on. */
export interface SubagentReport {
  /** Names it, and the session of its calls. */
  readonly id: string;
  readonly type: string;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  readonly turns: number;
  readonly calls: number;
  readonly durationMs: number;
  readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number; readonly totalTokens?: number };
  readonly costUsd?: number;
  /** Its answer, or what there is of it; once it is no longer running. */
  readonly text?: string;
  /** Why it stopped, in the words of `AgentResult.stopReason`. */
  readonly stopReason?: string;
  /** What went wrong, where something did. */
  readonly problem?: string;
}

/** Something that happened in an agent. */
export interface SubagentEvent {
  readonly agentId: string;
  readonly agentType: string;
  /** 1 for an agent that the first one handed work to. */
  readonly depth: number;
  readonly taskId: string;
  readonly callId: string;
  readonly event: AgentEvent;
}

/** Starts agents, and knows those it has started. */
export interface SubagentRunner {
  /** The types there are now, by name. */
  types(): Readonly<Record<string, SubagentType>>;
  /** Begins the work; refuses with a reason where a bound is reached or the type is unknown. */
  start(request: SubagentRequest, origin: SubagentOrigin): { readonly id: string } | { readonly refused: string };
  /** How an agent of a task is getting on; nothing for one that is not the task's. */
  report(id: string, taskId: string): SubagentReport | undefined;
  /** All agents of a task, in the order in which they began. */
  list(taskId: string): readonly SubagentReport[];
  /** Resolves once the agent no longer runs, or the signal aborts. */
  wait(id: string, taskId: string, signal?: AbortSignal): Promise<SubagentReport | undefined>;
  /** Ends an agent; answers whether it ran. */
  stop(id: string, taskId: string): boolean;
  /** Ends all agents of a task, and forgets them. */
  forgetTask(taskId: string): void;
}
