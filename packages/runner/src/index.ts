export type { AgentState } from './agent/agent-state.ts';
export { createAgent, type Agent, type AgentOptions, type AgentTurnOptions } from './agent/create-agent.ts';
export { reviveMessages, storeMessages, type StoredMessage } from './history/stored-messages.ts';
export type { AgentEvent } from './contracts/agent-event.ts';
export type { AllowedTools, RetryOptions, RunAgentOptions } from './options/agent-options.ts';
export type { AgentResult, CompletedCall, StopReason } from './contracts/agent-result.ts';
export { createHooks, type CommandHook, type CreateHooksOptions, type FunctionHooks } from './hooks/create-hooks.ts';
export { compactHistory, type CompactedHistory, type CompactOptions } from './compact/compact-history.ts';
export {
  createCompactTool,
  createHistoryCompactor,
  type Compactor,
  type HistoryCompactor,
  type HistoryCompactorOptions,
} from './compact/compactor.ts';
export { createDurableAgent, type DurableAgentOptions } from './agent/create-durable-agent.ts';
export type { CompletionCandidate, CompletionGate } from './contracts/completion-gate.ts';
export { requireWork, type RequireWorkOptions } from './completion/require-work.ts';
export type { Diagnostic } from './diagnostic.ts';
export type { CallIds } from './history/call-ids.ts';
export { createDiffRecorder, type DiffRecorder, type RecordedDiff } from './replay/create-diff-recorder.ts';
export type { LimitKind, RunLimits } from './limits/run-limits.ts';
export { guardCalls, type GuardMiddleware, type GuardOptions } from './guard/guard-calls.ts';
export { createGuardedSource, type GuardedSource, type GuardedSourceOptions } from './guard/guarded-source.ts';
export type { GuardedCall, Guardrail, GuardrailVerdict } from './guard/guardrail.ts';
export { limitFanOut, defaultFanOutCaps } from './guard/limit-fan-out.ts';
export { readBeforeWrite, type ReadBeforeWriteOptions } from './guard/read-before-write.ts';
export { requireSchema } from './guard/require-schema.ts';
export { shellPolicy, type ShellPolicyOptions, type ShellReading } from './guard/shell-policy.ts';
export { stopDoomLoops, type DoomLoopOptions } from './guard/stop-doom-loops.ts';
export { stopRepeatedFailures, type RepeatedFailureOptions } from './guard/stop-repeated-failures.ts';
export { verifyByCommand, type VerifyingCommand } from './guard/verify-by-command.ts';
export { verifyChanges, type Verification, type Verifier, type VerifyOptions } from './guard/verify-changes.ts';
export { callSignature } from './memo/call-signature.ts';
export { createMemo, type Memo, type MemoOptions } from './memo/create-memo.ts';
export { createMemoSource, type MemoSource } from './memo/memo-source.ts';
export { pairHistory, type PairedHistory } from './history/pair-history.ts';
export type { OutputOptions, OutputStrategy } from './options/output-options.ts';
export { createOutputTool, outputToolInstruction, outputToolName } from './output/output-tool.ts';
export { createSpecializedLoop, type SpecializedLoop, type SpecializedLoopOptions } from './agent/specialized-loop.ts';
export type { Difference } from './replay/find-difference.ts';
export { recordRun } from './replay/record-run.ts';
export { replayRun, type Divergence, type Replay } from './replay/replay-run.ts';
export { runAgent } from './agent/run-agent.ts';
export { openSessions, type SessionInfo, type Sessions, type SessionsOptions } from './sessions/open-sessions.ts';
export type { StoredMemory, StoredTodo, SessionNoteStore, SessionNotes } from './sessions/session-notes.ts';
export type { SessionDocument, SessionDocuments, SessionStore, SessionWrite } from './sessions/session-store.ts';
export { createSteerQueue, type SteerMessage, type SteerQueue, type SteerQueueOptions } from './steer-queue.ts';
export { createSubagentRunner, type SubagentRunnerOptions } from './subagents/subagent-runner.ts';
export { createSubagents, createSubagentTool, type Subagents } from './subagents/subagent-tools.ts';
export type {
  SubagentEvent,
  SubagentOrigin,
  SubagentReport,
  SubagentRequest,
  SubagentRunner,
  SubagentType,
} from './subagents/subagent-type.ts';
