import type { Extraction, RepairResult } from '@haft/repair';
import type { Span } from './segments.ts';

/** Returns the ID of the span of a repair. */
export function repairSpanId(owner: string, index: number): string {
  return `${owner}-${index}`;
}

/** Returns the spans of calls: each call, each repair in it, and each rejected call. */
export function spansOfCalls({ calls, rejected }: Extraction): readonly Span[] {
  return [
    ...rejected.map(({ start, end }, index) => ({ id: `rejected-${index}`, start, end, look: 'rejected' })),
    ...calls.map(({ start, end }, index) => ({ id: `call-${index}`, start, end, look: 'call' })),
    ...calls.flatMap(({ repairs }, index) =>
      repairs.map(({ start, end, risk }, at) => ({ id: repairSpanId(`call-${index}`, at), start, end, look: risk })),
    ),
  ];
}

/** Returns the spans of a value: its repairs, or the position of the failure. */
export function spansOfValue(result: RepairResult): readonly Span[] {
  if (!result.ok) return [{ id: 'stopped', start: result.position, end: result.position, look: 'failed' }];
  return result.repairs.map(({ start, end, risk }, index) => ({
    id: repairSpanId('value', index),
    start,
    end,
    look: risk,
  }));
}
