import { formatCallLine, formatCallRemarks } from './call-line.ts';
import { formatDiff } from './diff-lines.ts';
import { groupCalls } from './group-calls.ts';
import type { Paint } from './paint.ts';
import type { ShownCall } from './shown-call.ts';
import { wrapLine } from './wrap-line.ts';

/** Layout of calls. */
export interface FormatCallsOptions {
  readonly paint: Paint;
  /** Width in columns. Lines about a call are wrapped; those of diffs and details are not. */
  readonly width: number;
  /** Whether to show all changed lines of diffs. Default: the first ones. */
  readonly isWhole?: boolean;
  /** Further lines below a call, such as the tool's answer. */
  readonly details?: (call: ShownCall) => readonly string[];
}

/** The calls of one turn, grouped by kind, with a heading for each group except reads. */
export function formatCalls(calls: readonly ShownCall[], options: FormatCallsOptions): readonly string[] {
  return groupCalls(calls).flatMap(({ name, calls }) => [
    ...(name === 'reads' ? [] : [options.paint('quiet', `── ${name} ──`)]),
    ...calls.flatMap((call) => formatCall(call, options)),
  ]);
}

const margin = '    ';

function formatCall(
  call: ShownCall,
  { paint, width, isWhole = false, details }: FormatCallsOptions,
): readonly string[] {
  const { diff } = call.result;
  const below = [...(diff ? formatDiff(diff, paint, isWhole ? Infinity : undefined) : []), ...(details?.(call) ?? [])];
  return [
    ...wrapLine(formatCallLine(call, paint), width, margin),
    ...formatCallRemarks(call, paint).flatMap((line) => wrapLine(margin + line, width, `${margin}  `)),
    ...below.map((line) => margin + line),
  ];
}
