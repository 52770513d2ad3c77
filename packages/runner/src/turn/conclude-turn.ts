import type { ToolError } from '@haft/core';
import type { CompletedCall } from '../contracts/agent-result.ts';
import { limitError } from '../limits/run-meter.ts';
import type { RunEnd, RunState } from '../run/run-state.ts';
import { correctionFor } from './calls/correct-refused-calls.ts';
import type { FoundCalls } from './calls/find-calls.ts';
import type { ShownTools } from './model/show-tools.ts';

/** Decides whether the run continues: after calls, if text must be corrected, or if steering messages are waiting. */
export function concludeTurn(
  run: RunState,
  turn: number,
  tools: ShownTools,
  { refused }: FoundCalls,
  completed: readonly CompletedCall[],
  isInterrupted: boolean,
): RunEnd | undefined {
  const { onDenied, onLimit, steer } = run.options;
  if (run.signal?.aborted) return { stopReason: 'aborted' };
  const reached = run.meter.check(turn, run.usage);
  if (!tools.mayCall && reached) return { stopReason: 'limit', limit: reached };

  const denied =
    onDenied === 'stop' ? completed.map(errorOf).find((error) => error?.code === 'PERMISSION_DENIED') : undefined;
  if (denied) return { stopReason: 'denied', error: denied };

  const needsCorrection = refused.length > 0 && !run.justCorrected;
  run.justCorrected = needsCorrection;
  const isLast = reached !== undefined;
  const continuesSpan =
    isInterrupted || completed.length > 0 || needsCorrection || (!isLast && steer !== undefined && steer.size > 0);
  if (!continuesSpan) return { stopReason: 'finished' };

  if (isLast && onLimit === 'error')
    return { stopReason: 'limit', limit: reached, error: limitError(reached, run.limit, run.options.limits) };
  if (needsCorrection && !isLast) run.messages.push(correctionFor(refused, tools.snapshot.names));
  return undefined;
}

function errorOf({ result }: CompletedCall): ToolError | undefined {
  return result.ok ? undefined : result.error;
}
