export type { AgentEvent } from './agent-event.ts';
export type { AllowedTools, RetryOptions, RunAgentOptions } from './agent-options.ts';
export type { AgentResult, CompletedCall, StopReason } from './agent-result.ts';
export type { Diagnostic } from './diagnostic.ts';
export type { CallIds } from './history/call-ids.ts';
export { pairHistory, type PairedHistory } from './history/pair-history.ts';
export { runAgent } from './run-agent.ts';
export { createSteerQueue, type SteerMessage, type SteerQueue, type SteerQueueOptions } from './steer-queue.ts';
