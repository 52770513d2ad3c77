import type { FinishReason, Message, ToolError, ToolSnapshot, ToolSource, Usage } from '@haft/core';
import type { AgentEvent } from '../contracts/agent-event.ts';
import type { RunAgentOptions } from '../contracts/agent-options.ts';
import type { CompletedCall, StopReason } from '../contracts/agent-result.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { CallIds } from '../history/call-ids.ts';
import type { RunMeter } from '../limits/run-meter.ts';
import type { LimitKind } from '../limits/run-limits.ts';
import type { RunOutput } from '../output/run-output.ts';
import { notify } from '../notify.ts';

/** Everything that belongs to one run while it goes on. */
export interface RunState {
  readonly options: RunAgentOptions;
  readonly source: ToolSource;
  /** How many requests may call tools. */
  readonly limit: number;
  /** The caller's: what aborts it ends the run. */
  readonly signal: AbortSignal | undefined;
  readonly meter: RunMeter;
  readonly output: RunOutput | undefined;
  /** Leaves of a snapshot what the run may use. */
  readonly restrict: (snapshot: ToolSnapshot) => ToolSnapshot;
  readonly runId: string;
  readonly ids: CallIds;
  /** The conversation; between turns, every call in it is answered. */
  messages: Message[];
  /** How many messages, from the first on, are known to be paired. */
  pairedUpTo: number;
  readonly calls: CompletedCall[];
  readonly diagnostics: Diagnostic[];
  usage: Usage;
  /** What the latest request used. */
  lastUsage: Usage;
  turns: number;
  text: string;
  finishReason: FinishReason | undefined;
  /** Whether the last message told the model that a textual call of it was not run. */
  justCorrected: boolean;
  /** How often the model was sent back to work after it had said that it was done. */
  timesSentBack: number;
  /** Whether the conversation was made plainer, after the model had refused it. */
  isSimplified: boolean;
}

/** Why a run goes no further. */
export interface RunEnd {
  readonly stopReason: StopReason;
  readonly limit?: LimitKind;
  readonly error?: ToolError;
}

/** Tells whoever listens. */
export function emit(run: RunState, event: AgentEvent): void {
  notify(run.options.onEvent, event);
}

/** Keeps a remark for the result, and tells whoever listens. */
export function report(run: RunState, diagnostic: Diagnostic): void {
  run.diagnostics.push(diagnostic);
  emit(run, { type: 'diagnostic', diagnostic });
}
