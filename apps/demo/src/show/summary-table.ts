import type { Fault } from '@haft/core';
import { describeTime, verdictOf } from './call-line.ts';
import { describeEffects } from './describe-effects.ts';
import { describeReading } from './describe-reading.ts';
import { formatTable } from './format-table.ts';
import type { Paint } from './paint.ts';
import type { ShownCall } from './shown-call.ts';

/** A call with its turn. */
export interface TurnCall extends ShownCall {
  readonly turn: number;
}

/** Every call of a run as a table: how it was read, whose fault a failure was, its duration, its effects. */
export function formatSummary(calls: readonly TurnCall[], cwd: string, paint: Paint, width: number): readonly string[] {
  const columns = [
    { title: 'turn', align: 'right' },
    { title: 'call', shrinks: true, wraps: true, minimum: 20 },
    { title: 'repaired or coerced', shrinks: true, wraps: true },
    { title: 'whose fault' },
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
      describeTime(result),
      describeEffects(result, cwd),
    ];
  });
  return formatTable(columns, rows, paint, width);
}

const meanings: readonly (readonly [Fault, string])[] = [
  ['model', 'the call was wrong'],
  ['world', 'something outside failed: a command, a server'],
  ['policy', 'not allowed'],
  ['host', 'a defect in this program'],
  ['cancelled', 'stopped before it ended'],
];

/** Explains the faults in a table, on one line; `undefined` if no call failed. */
export function describeFaults(calls: readonly TurnCall[]): string | undefined {
  const found = new Set(calls.flatMap(({ result }) => (result.ok ? [] : [result.error.fault])));
  if (found.size === 0) return undefined;
  const shown = meanings.filter(([fault]) => found.has(fault));
  return `who caused the failures: ${shown.map(([fault, meaning]) => `${fault} = ${meaning}`).join('; ')}`;
}
