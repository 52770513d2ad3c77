import { formatCallLine, formatCallRemarks } from './call-line.ts';
import { formatDiff } from './diff-lines.ts';
import { groupCalls } from './group-calls.ts';
import type { Paint } from './paint.ts';
import type { ShownCall } from './shown-call.ts';

/** Further lines below a call, such as what the tool answered. */
export type CallDetails = (call: ShownCall) => readonly string[];

/** The calls of one turn, grouped by kind: a rule with the group's name wherever something other than reading begins. */
export function formatCalls(calls: readonly ShownCall[], paint: Paint, details?: CallDetails): readonly string[] {
  return groupCalls(calls).flatMap(({ name, calls }) => [
    ...(name === 'reads' ? [] : [paint('quiet', `── ${name} ──`)]),
    ...calls.flatMap((call) => formatCall(call, paint, details)),
  ]);
}

function formatCall(call: ShownCall, paint: Paint, details: CallDetails | undefined): readonly string[] {
  const { diff } = call.result;
  const below = [
    ...formatCallRemarks(call, paint),
    ...(diff ? formatDiff(diff, paint) : []),
    ...(details?.(call) ?? []),
  ];
  return [formatCallLine(call, paint), ...below.map((line) => `    ${line}`)];
}
