import { formatDuration, verdictOf } from './call-line.ts';
import { describeEffects } from './describe-effects.ts';
import { describeReading } from './describe-reading.ts';
import { formatTable } from './format-table.ts';
import type { Paint } from './paint.ts';
import type { ShownCall } from './shown-call.ts';

/** A call with the turn it was made in. */
export interface TurnCall extends ShownCall {
  readonly turn: number;
}

/** Every call of a run as a table: how it was read, whose fault a failure was, how long it took, what it did. */
export function formatSummary(calls: readonly TurnCall[], cwd: string, paint: Paint, width: number): readonly string[] {
  const columns = [
    { title: 'turn', align: 'right' },
    { title: 'call', shrinks: true },
    { title: 'repaired or coerced', shrinks: true, wraps: true },
    { title: 'fault' },
    { title: 'time', align: 'right' },
    { title: 'effect', shrinks: true, wraps: true },
  ] as const;
  const rows = calls.map((call) => {
    const { result } = call;
    const { mark, tone } = verdictOf(result);
    return [
      String(call.turn),
      `${paint(tone, mark)} ${call.name} ${call.target}`.trimEnd(),
      describeReading(result, call.envelope).join(', '),
      result.ok ? '' : paint(tone, result.error.fault),
      formatDuration(result.durationMs),
      describeEffects(result, cwd),
    ];
  });
  return formatTable(columns, rows, paint, width);
}
