import type { FinishReason, Message, ToolError, Usage } from '@haft/core';
import { HaftError } from '@haft/core';
import { fromStoredResult, toStoredResult } from '@haft/core/results';
import type { CompletedCall } from '../contracts/agent-result.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { reviveMessages, storeMessages, type StoredMessage } from '../history/stored-messages.ts';
import type { MeterUse } from '../limits/run-meter.ts';
import type { RunOutput } from '../output/run-output.ts';
import type { RunEnd, RunState } from '../run/run-state.ts';

/** A complete turn as JSON: its messages, and the state after it. */
export interface TurnRecord {
  readonly version: 1;
  /** Number of earlier messages that are still in the conversation. */
  readonly keep: number;
  readonly messages: readonly StoredMessage[];
  readonly calls: readonly (Omit<CompletedCall, 'result'> & { readonly result: unknown })[];
  readonly diagnostics: readonly Diagnostic[];
  readonly usage: Usage;
  readonly text: string;
  readonly turns: number;
  readonly finishReason?: FinishReason;
  readonly justCorrected: boolean;
  readonly reminders: number;
  readonly isSimplified: boolean;
  readonly meter: MeterUse;
  readonly output?: Pick<RunOutput, 'phase' | 'answersLeft' | 'issues' | 'found'>;
  /** Set for the last turn. */
  readonly end?: RunEnd;
}

/** Describes the additions of a turn to a run. */
export async function createTurnRecord(run: RunState, end: RunEnd | undefined): Promise<TurnRecord> {
  const { messages = [], callCount = 0, diagnosticCount = 0 } = run.kept ?? {};
  const keep = countCommon(messages, run.messages);
  const { usage, text, turns, finishReason, justCorrected, reminders, isSimplified, meter, output } = run;
  return {
    version: 1,
    keep,
    messages: await storeMessages(run.messages.slice(keep)),
    calls: await Promise.all(
      run.calls.slice(callCount).map(async (call) => ({ ...call, result: await toStoredResult(call.result) })),
    ),
    diagnostics: run.diagnostics.slice(diagnosticCount),
    usage,
    text,
    turns,
    ...(finishReason && { finishReason }),
    justCorrected,
    reminders,
    isSimplified,
    meter: meter.used,
    ...(output && { output: pickOutput(output) }),
    ...(end && { end: { ...end, ...(end.error && { error: storableError(end.error) }) } }),
  };
}

function countCommon(before: readonly Message[], now: readonly Message[]): number {
  let count = 0;
  while (count < before.length && before[count] === now[count]) count += 1;
  return count;
}

function pickOutput({ phase, answersLeft, issues, found }: RunOutput): NonNullable<TurnRecord['output']> {
  return { phase, answersLeft, issues, found };
}

/** Omits the cause of an error, which is only valid in its own process. */
function storableError(error: ToolError): ToolError {
  const { cause: _cause, ...storable } = error;
  return storable;
}

/** The combined records of all complete turns. */
export interface RestoredRun {
  readonly messages: readonly Message[];
  readonly calls: readonly CompletedCall[];
  readonly diagnostics: readonly Diagnostic[];
  /** State after the last complete turn. */
  readonly last: TurnRecord;
}

/**
 * Reads the records of the complete turns. Returns undefined for an empty log.
 * @throws HaftError `INVALID_OPTION` for records of another version.
 */
export function restoreTurns(records: readonly unknown[]): RestoredRun | undefined {
  const messages: StoredMessage[] = [];
  const calls: CompletedCall[] = [];
  const diagnostics: Diagnostic[] = [];
  let last: TurnRecord | undefined;
  for (const [at, given] of records.entries()) {
    const record = given as TurnRecord | null;
    if (record?.version !== 1)
      throw new HaftError('INVALID_OPTION', `log: turn ${at + 1} is not a turn of this version (expected version 1)`);
    messages.splice(record.keep, Infinity, ...record.messages);
    calls.push(...record.calls.map((call) => ({ ...call, result: fromStoredResult(call.result) })));
    diagnostics.push(...record.diagnostics);
    last = record;
  }
  return last && { messages: reviveMessages(messages), calls, diagnostics, last };
}
