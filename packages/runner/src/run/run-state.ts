import type { FinishReason, Message, OpenTurn, RunLog, ToolError, ToolSnapshot, ToolSource, Usage } from '@haft/core';
import type { AgentEvent } from '../contracts/agent-event.ts';
import type { RunAgentOptions } from '../options/agent-options.ts';
import type { CompletedCall, StopReason } from '../contracts/agent-result.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { CallIds } from '../history/call-ids.ts';
import type { RunMeter } from '../limits/run-meter.ts';
import type { LimitKind } from '../limits/run-limits.ts';
import type { RunOutput } from '../output/run-output.ts';
import { notify } from '../notify.ts';

/** State of one run. */
export interface RunState {
  readonly options: RunAgentOptions;
  readonly source: ToolSource;
  /** Number of requests that may call tools. */
  readonly limit: number;
  /** The caller's signal. Its abort ends the run. */
  readonly signal: AbortSignal | undefined;
  readonly meter: RunMeter;
  readonly output: RunOutput | undefined;
  /** Filters a snapshot to the allowed tools. */
  readonly restrict: (snapshot: ToolSnapshot) => ToolSnapshot;
  readonly runId: string;
  readonly ids: CallIds;
  /** The conversation. Between turns, every call in it is answered. */
  messages: Message[];
  /** Number of leading messages whose calls are known to be answered. */
  pairedUpTo: number;
  readonly calls: CompletedCall[];
  readonly diagnostics: Diagnostic[];
  usage: Usage;
  /** Usage of the latest request. */
  lastUsage: Usage;
  turns: number;
  text: string;
  finishReason: FinishReason | undefined;
  /** Whether the last message informed the model that a textual call was not run. */
  justCorrected: boolean;
  /** Number of reminders after the model reported that it was done. */
  reminders: number;
  /** Whether the conversation was simplified after the model rejected it. */
  isSimplified: boolean;
  /** Set if the run is kept in a log. */
  kept: KeptRun | undefined;
}

/** State of a run that is kept in a log. */
export interface KeptRun {
  readonly log: RunLog;
  /** The unfinished turn of an earlier process. Cleared when this process has finished it. */
  open: OpenTurn | undefined;
  /** The content of the log. */
  messages: readonly Message[];
  callCount: number;
  diagnosticCount: number;
  /** Set when the log rejected. The run must not do anything afterwards. */
  failure: { readonly cause: unknown } | undefined;
}

/** Why a run ended. */
export interface RunEnd {
  readonly stopReason: StopReason;
  readonly limit?: LimitKind;
  readonly error?: ToolError;
}

/** Sends an event to the listener. */
export function emit(run: RunState, event: AgentEvent): void {
  notify(run.options.onEvent, event);
}

/** Adds a diagnostic to the result and sends it to the listener. */
export function report(run: RunState, diagnostic: Diagnostic): void {
  run.diagnostics.push(diagnostic);
  emit(run, { type: 'diagnostic', diagnostic });
}
